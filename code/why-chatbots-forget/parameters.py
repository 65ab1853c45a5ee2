"""How many parameters a language model has, counted from the settings of its config.json."""


def attention_parameters(
    hidden_size: int, attention_heads: int, kv_heads: int, head_dim: int
) -> int:
    """One layer's projections for queries and output, and for keys and values.

    >>> attention_parameters(4096, 32, 8, 128)
    41943040
    """
    return 2 * hidden_size * head_dim * (attention_heads + kv_heads)


def feed_forward_parameters(hidden_size: int, intermediate_size: int) -> int:
    """One layer's three matrices between the hidden and the intermediate size.

    >>> feed_forward_parameters(4096, 12288)
    150994944
    """
    return 3 * hidden_size * intermediate_size


def model_parameters(
    layers: int,
    hidden_size: int,
    attention_heads: int,
    kv_heads: int,
    head_dim: int,
    intermediate_size: int,
    vocabulary: int,
    *,
    norms_of_heads: bool = False,
    biases_of_qkv: bool = False,
    one_embedding: bool = False,
) -> int:
    """All parameters of a design like Llama's or Qwen's, without experts.

    `norms_of_heads`: each layer scales queries and keys (Qwen3). `biases_of_qkv`: queries, keys
    and values have biases (Qwen2.5). `one_embedding`: input and output share one table.

    Qwen3-8B: its published files hold 16,381,470,720 bytes, exactly two for each of these.

    >>> model_parameters(36, 4096, 32, 8, 128, 12288, 151936, norms_of_heads=True)
    8190735360
    """
    layer = (
        attention_parameters(hidden_size, attention_heads, kv_heads, head_dim)
        + feed_forward_parameters(hidden_size, intermediate_size)
        + 2 * hidden_size  # a norm before each of the two
        + 2 * head_dim * norms_of_heads
        + head_dim * (attention_heads + 2 * kv_heads) * biases_of_qkv
    )
    embeddings = vocabulary * hidden_size * (1 if one_embedding else 2)
    return layers * layer + hidden_size + embeddings


def rounded(parameters: int) -> int:
    """The size as a model card states it, to a tenth of a billion.

    >>> rounded(8_190_735_360)
    8200000000
    """
    return round(parameters, -8)
