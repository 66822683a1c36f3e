"""The games, one folder each. The registry in ``triskele.core.game`` finds them here by itself."""
