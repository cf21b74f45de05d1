"""Parts of a reward beside scores: penalties, answers cut out of completions, presets."""
