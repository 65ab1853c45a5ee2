"""The lesson's four figures. Every number in them comes from show_numbers.py.

What they read of it:
  turn_rows               per turn: turn, messages (sent to the model), sent_again_messages
  strip_rows              per message, oldest first: message, role ("user" or "assistant"), tokens,
                          start_tokens, end_tokens (places on the token axis), inside (the window?)
  strip_window_tokens     the window that the strip is cut to
  strip_reply_room_tokens what of it is left free for the reply
  reread_rows             per reply: reply, tokens (whole history), window_tokens
  read_tokens             all replies of reread_rows, whole history
  window_read_tokens      the same with the window
  window_tokens           that window
  cache_points            per length: tokens, cache_bytes
  bytes_per_token         what one more token adds to the cache
"""
