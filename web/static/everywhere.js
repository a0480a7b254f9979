// What every page for readers of records answers to: the key / leads to the search, of the head where there is room for one.
document.addEventListener("keydown", (e) => {
  if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
  if (/** @type {Element} */ (e.target).closest("input, select, textarea, [contenteditable]")) return;
  e.preventDefault();
  const find = document.getElementById("find") || document.getElementById("q");
  if (find && find.getClientRects().length) find.focus();
  else location.assign("/search");
});
