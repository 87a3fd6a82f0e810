"""Report: figures of finished trials, and one page that holds all of it."""
