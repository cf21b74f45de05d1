"""HTML reports and their SVG figures."""
