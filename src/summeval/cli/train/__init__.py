"""`summeval train`: the models that it trains."""
