DESCRIPTION = "x"
EPILOG = ""
def add_arguments(parser): ...
def run(arguments): return 0
