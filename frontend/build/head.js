// Runs before the first paint. "system" needs nothing: the styles follow the
// system unless data-theme says otherwise. Storage may be switched off.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme;
  }
  if (localStorage.getItem("admin") === "1") {
    document.documentElement.dataset.admin = "";
  }
} catch {}
// What is clicked before any other script is there: src/lib/beforehand.ts takes it over.
window.earlyClicks = [];
for (const kind of ["click", "auxclick"]) {
  document.addEventListener(kind, (event) => window.earlyClicks?.push(event));
}
