"""How many pairs of tokens attention compares: it grows with the square of the length."""


def attention_pairs(tokens: int) -> int:
    """Pairs that one head of one layer compares: each token with itself and all before it.

    1 + 2 + 3 + ... + n = n (n + 1) / 2.

    >>> attention_pairs(1000), attention_pairs(2000)
    (500500, 2001000)
    """
    return tokens * (tokens + 1) // 2
