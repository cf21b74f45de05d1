"""What a reward is made of beside scores: penalties, answers cut out of completions, presets."""
