// What every page for readers of records answers to: the key / leads to the search.
document.addEventListener("keydown", (e) => {
  if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
  if (e.target.closest("input, select, textarea, [contenteditable]")) return;
  e.preventDefault();
  location.assign("/search");
});
