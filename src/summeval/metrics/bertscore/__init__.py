"""BERTScore: token vectors of a model in context, matched greedily."""
