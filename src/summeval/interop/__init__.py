"""summeval where others expect their own: one file for each ecosystem.

Nothing of an ecosystem is imported before it is used, so each module can be imported without it.
"""
