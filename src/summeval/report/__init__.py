"""HTML reports, tables, and SVG figures."""
