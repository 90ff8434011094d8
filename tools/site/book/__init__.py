"""``make book``: the series, the labs, the API reference and the documents as one static site."""
