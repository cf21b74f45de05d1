"""What scores of metrics come from, of metrics that have one file each."""
