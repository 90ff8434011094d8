"""In the place of a package that makes 38 parsers when it is imported.

`make` puts this folder first on the path of tests.  Every process that reads a notebook imports the
package through jsonschema, and waits a second of processor time.  It recognises IRIs, of which no
notebook's schema asks.  Where it cannot be imported, jsonschema does without it.
"""

raise ImportError("tests do without rfc3987_syntax")
