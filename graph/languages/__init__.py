"""The languages: one folder each holds everything that differs for it, `registry` lists them."""
