import type { AccentColours, Palette } from "../../generated/api";

let sheet: CSSStyleSheet | undefined;

/** Shows an accent's colours on the open page, as `colour_styles` of src/storefront/look.rs does on the next. */
export function showColours({ light, dark }: Palette): void {
  if (sheet === undefined) {
    // A constructed sheet: the content security policy forbids style elements.
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet);
  }
  sheet.replaceSync(
    `:root{${tokens(light)}}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${tokens(dark)}}}` +
      `:root[data-theme=dark]{${tokens(dark)}}`,
  );
}

function tokens(colours: AccentColours): string {
  const { accent, accentBg, fill, fillStrong, onFill, band, onBand, onBand2 } = colours;
  return (
    `--accent:${accent};--accent-bg:${accentBg};--fill:${fill};--fill-below:${fillStrong};--on-fill:${onFill};` +
    `--band:${band};--on-band:${onBand};--on-band-2:${onBand2}`
  );
}
