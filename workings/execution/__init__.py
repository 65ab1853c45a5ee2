"""Runs the lessons' code: each job alone in a process, watched, limited, and kept in a cache."""
