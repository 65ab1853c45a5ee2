"""Figures: declared beside the lesson's code, drawn with matplotlib, themed by the page's CSS."""
