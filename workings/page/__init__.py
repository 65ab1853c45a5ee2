"""A page: templates in Markdown become tokens, and tokens become HTML."""
