"""`python -m resolver` is the command `tieline`."""

from resolver.cli import main

if __name__ == "__main__":
    main()
