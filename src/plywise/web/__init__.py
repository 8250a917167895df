"""The web app: boards, analysis, training and matches in a browser, and an API for programs.

The server process only talks. Rules, searches, trainings and matches run in processes of their
own, so this package imports NumPy, Numba and the games only inside of what workers do.
"""
