"""A drop-in for rouge-score 0.1.2: its modules, classes, arguments and results, faster.

Only change the import:

>>> from summeval.interop.rouge_score import rouge_scorer
>>> scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
>>> scorer.score("the cats sat down", "a cat sat")["rouge1"].recall
0.5
"""
