"""The command `rouge155`: the arguments and the output of ROUGE-1.5.5.pl."""
