"""Tests of the report; a package, so that they share their samples."""
