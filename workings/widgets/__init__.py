"""Calculators: declared in YAML, computed by a lesson's own functions, here and in the browser.

This file stays free of imports: the browser loads parts of the package by themselves.
"""
