"""Games that are no part of Triskele."""
