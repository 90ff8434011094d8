// What is wider than its place is scrolled with arrow keys by those who have no mouse.
(() => {
  const begin = () => {
    const widths = new ResizeObserver((seen) => {
      for (const { target } of seen) {
        const isStop = target.scrollWidth > target.clientWidth && getComputedStyle(target).overflowX !== "visible";
        if (isStop) target.tabIndex = 0;
        else target.removeAttribute("tabindex");
      }
    });
    const wide = "pre, table, .mtsig-wide, .jp-OutputArea-output, .cell_output, p:has(> img, > a > img)";
    document.querySelectorAll(wide).forEach((element) => widths.observe(element));
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
