"""What notebooks and labs share that is not statistics: headlines, moving pictures, own work.

Importing it in a notebook also has numbers printed as a reader reads them (`printed`), figures
drawn as `mtsig_nb.plots.style` says, and failing tests of labs say one sentence (`failures`).
Imports components, campaigns, human, statistics, plots and own_work.
"""

from ..components.chance import chance_machine
from ..components.own import own_numbers
from ..own_work import own_work
from .codes import handed_in, read_codes
from .display import fold_notes, printed, set_up_notebook
from .failures import shorten_failures
from .inventories import inventory, inventory_results
from .judging import be_the_judge, classroom
from .parity import parity
from .pictures import movable
from .publishing import MIME_TYPE, Headline, headline, headlines

__all__ = [
    "MIME_TYPE",
    "Headline",
    "be_the_judge",
    "chance_machine",
    "classroom",
    "fold_notes",
    "handed_in",
    "headline",
    "headlines",
    "inventory",
    "inventory_results",
    "movable",
    "own_numbers",
    "own_work",
    "parity",
    "printed",
    "read_codes",
]

set_up_notebook()
shorten_failures()
