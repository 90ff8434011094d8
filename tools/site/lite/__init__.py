"""``make lite``: the course as a static site whose pages run Python themselves (JupyterLite)."""
