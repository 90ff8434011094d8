"""How the explorer is served as a page: by ``make app``, and on Binder.

Voila reads this file because ``JUPYTER_CONFIG_PATH`` names its folder, and finds the template
``mtsig`` in it because ``JUPYTER_PATH`` does.  On Binder a Jupyter server runs Voila: there only
the template and the hook take part, for host names, headers and kernels are that server's own.
"""

import asyncio
import math

from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError
from traitlets import Integer

LOOPBACK = "127.0.0.1"
#: A kernel that no page is connected to ends after so long without work; one that a page is
#: connected to is left alone.  Pages connect within seconds of being loaded, slow ones take longer.
UNCONNECTED_S, LOOKING_EVERY_S = 120, 15
#: How long a request waits for a place: a page that is loaded anew first ends its old kernel.
WAITING_S = 5
#: Only what this server has, or the page itself, is loaded; nobody else's page may frame it.
ONLY_FROM_HERE = (
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
    f"connect-src 'self' ws://{LOOPBACK}:* ws://localhost:*; frame-ancestors 'self'"
)


class BoundedKernelManager(AsyncMappingKernelManager):
    """One kernel for each page, up to a number; those that are still starting count."""

    # With the server about 1 GB: a kernel takes some 225 MB (PSS) when its page opens.
    most_kernels = Integer(4, config=True)

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._starting = set()

    async def start_kernel(self, *, kernel_id=None, **kwargs):
        await self._wait_for_a_place()
        # From here to the next line nothing else runs, so that simultaneous requests are counted.
        kernel_id = kernel_id or self.new_kernel_id()
        self._starting.add(kernel_id)
        try:
            return await super().start_kernel(kernel_id=kernel_id, **kwargs)
        finally:
            self._starting.discard(kernel_id)

    async def _wait_for_a_place(self):
        for _ in range(10 * WAITING_S):
            if len({*self.list_kernel_ids(), *self._starting}) < self.most_kernels:
                return
            await asyncio.sleep(0.1)
        minutes = math.ceil((self.cull_idle_timeout + self.cull_interval) / 60)
        raise HTTPError(
            503,
            f"{self.most_kernels} explorers are running, and there may not be more at once, "
            "because each takes memory. Close the page of one, then load this page again. One "
            f"that no page shows any more ends by itself within {minutes} minutes.",
        )


def let_the_page_end_its_kernel(handler, notebook, cwd):
    """Send the cookie that a page has to show when, on closing, it asks to end its kernel.

    Voila's page reads ``_xsrf`` but nothing of Voila's sends it, so that its request is refused
    (voila-dashboards/voila#1458).  Tornado sends it once the token has been looked at.
    """
    _ = handler.xsrf_token


c = get_config()  # noqa: F821

c.Voila.ip = LOOPBACK
c.Voila.tornado_settings = {
    # Voila would answer to any name, also to one that its owner points here (DNS rebinding).
    "allow_remote_access": False,
    "headers": {"Content-Security-Policy": ONLY_FROM_HERE},
}
c.VoilaConfiguration.template = "mtsig"
c.VoilaConfiguration.prelaunch_hook = let_the_page_end_its_kernel
c.VoilaConfiguration.multi_kernel_manager_class = BoundedKernelManager
# It needs parts of JupyterLab that Voila's page lacks.
c.VoilaConfiguration.extension_denylist = ["jupyterlab-jupytext"]
c.MappingKernelManager.cull_idle_timeout = UNCONNECTED_S
c.MappingKernelManager.cull_interval = LOOKING_EVERY_S
