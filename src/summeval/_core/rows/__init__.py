"""What every kernel shares: the thread loop, row statuses, the stop flag, the Score record."""
