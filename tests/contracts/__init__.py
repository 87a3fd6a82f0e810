"""The contract kits of `duelli.testing` over the whole registries."""
