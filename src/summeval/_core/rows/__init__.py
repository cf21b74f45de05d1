"""Shared by every kernel: the thread loop, row statuses, the stop flag, the Score record."""
