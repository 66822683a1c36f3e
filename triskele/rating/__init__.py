"""Ratings of people: pure arithmetic over results, without storage. Two seats by Glicko-2, more by openskill."""
