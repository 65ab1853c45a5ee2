"""Workings: lessons and articles whose every number shows its workings.

This file stays free of imports: the browser loads parts of the package by themselves.
"""

__version__ = "0.1.0"
