"""Rows of any layout: columns under other names, a row for each score or each judgement."""
