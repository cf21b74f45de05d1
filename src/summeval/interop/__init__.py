"""Adapters to other libraries, one module for each.

The libraries are imported on first use, so each module can be imported without its library.
"""
