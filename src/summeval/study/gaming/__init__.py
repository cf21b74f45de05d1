"""How easily a metric or a reward is gamed: honest summaries beside degenerate twins."""
