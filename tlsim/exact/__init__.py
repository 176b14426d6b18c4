"""The exact side: automata that read hands, counts of hands and of whole deals. Imports no kernels."""
