"""`python -m smallchatc` equals `smallchatc`."""

from smallchatc.cli import main

if __name__ == "__main__":
    main()
