"""Game records: what was dealt, every decision, the money. Format ``tlsim-game/1``, and the notation people type."""
