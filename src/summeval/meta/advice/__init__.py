"""Which metrics fit the data at hand, with the evidence that speaks for them."""
