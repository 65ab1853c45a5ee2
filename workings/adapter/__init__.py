"""MkDocs: the only place that knows it."""
