"""What the code says by itself: inventory, parsing, the syntactic layer, the store and the queries over it."""
