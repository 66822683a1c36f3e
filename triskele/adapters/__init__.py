"""Triskele's games in other people's tools, and other people's records in Triskele.

:mod:`~triskele.adapters.openspiel`, :mod:`~triskele.adapters.pettingzoo` and :mod:`~triskele.adapters.boardspace`
are imported by name; each says what to install if its package is missing.
"""
