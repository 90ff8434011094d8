"""What is kept of a segment: sums from which every score can be made again.

Decides what is a unit, a document, a stratum and a macro average, how statistics are counted,
stored and cached, and how segment scores made elsewhere become them.  Imports texts and metrics.
"""
