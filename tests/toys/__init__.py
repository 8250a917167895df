"""Small games that offer what the built-in ones do not, to try searches on."""
