// The replication's table of claims is sorted by a click on a column's head, and the other way by another click.
(() => {
  const sort = (table, column, up) => {
    const body = table.tBodies[0];
    const told = (row) => row.cells[column].textContent.trim();
    const order = (a, b) => told(a).localeCompare(told(b), "en", { numeric: true });
    body.append(...[...body.rows].sort((a, b) => (up ? order(a, b) : order(b, a))));
  };

  const arm = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "sort", textContent: head.textContent });
      button.addEventListener("click", () => {
        const up = head.ariaSort !== "ascending";
        for (const other of heads) other.ariaSort = null;
        head.ariaSort = up ? "ascending" : "descending";
        sort(table, column, up);
      });
      head.replaceChildren(button);
    });
  };

  const begin = () => {
    for (const table of document.querySelectorAll("section#claims-and-comparisons table")) arm(table);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
