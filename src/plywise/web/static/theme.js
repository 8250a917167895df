// Before the page is painted, so that it never flashes in the wrong colours.
{
  const kept = localStorage.getItem("theme");
  const isDark = kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}
