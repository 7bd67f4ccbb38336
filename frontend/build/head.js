// Runs before the first paint. "system" needs no attribute: the styles follow the
// system without data-theme. Storage may be disabled.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme;
  }
  if (localStorage.getItem("admin") === "1") {
    document.documentElement.dataset.admin = "";
  }
} catch {}
// Records clicks before other scripts have loaded; src/lib/early-clicks.ts handles them.
window.earlyClicks = [];
for (const kind of ["click", "auxclick"]) {
  document.addEventListener(kind, (event) => window.earlyClicks?.push(event));
}
