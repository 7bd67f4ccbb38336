import type { CSSProperties } from "react";
import type { AccentColours } from "../../../api/types";
import { ShopMark, useShop } from "../../../shop/shop";

/** Ground and texts of the shop in both themes (styles/tokens.css). */
const THEMES = {
  light: { background: "#ffffff", "--ink": "#15171c", "--ink-2": "#474c54" },
  dark: { background: "#101216", "--ink": "#eff0f2", "--ink-2": "#b9bec6" },
};

interface ShopPreviewProps {
  theme: keyof typeof THEMES;
  /** The theme's own colours if left out. */
  colours: AccentColours | undefined;
  /** Texts that are not saved yet. */
  name?: string | undefined;
  tagline?: string | undefined;
}

/** The top of the shop with a deal, in a colour that is not saved yet. */
export function ShopPreview({ theme, colours, ...texts }: ShopPreviewProps) {
  const shop = useShop();
  const name = texts.name || shop.name;
  const tagline = texts.tagline ?? shop.tagline;
  const variables = {
    ...(colours && {
      "--accent": colours.accent,
      "--fill": colours.fill,
      "--on-fill": colours.onFill,
      "--accent-bg": colours.accentBg,
      "--band": colours.band,
      "--on-band": colours.onBand,
      "--on-band-2": colours.onBand2,
    }),
    ...THEMES[theme],
  } as CSSProperties;
  return (
    <figure
      data-theme={theme}
      style={variables}
      className="min-w-0 overflow-hidden rounded border border-line"
    >
      <div className="bg-band p-3 text-on-band">
        <p className="brand">
          <ShopMark />
          <span className="whitespace-normal wrap-anywhere">{name}</span>
        </p>
        {tagline !== "" && <p className="display truncate pt-2 text-base">{tagline}</p>}
      </div>
      <div className="grid gap-2 p-3 text-ink text-sm">
        <p className="display text-lg">₹1,080.00</p>
        <p>
          A deal of the shop, and <span className="font-semibold text-accent">a link</span>
        </p>
        <p className="flex flex-wrap gap-2">
          <span className="btn btn-primary">Buy It</span>
          <span className="btn btn-tonal">View Details</span>
        </p>
      </div>
      <figcaption className="px-3 pb-2 text-ink-2 text-xs">{theme === "light" ? "Light" : "Dark"}</figcaption>
    </figure>
  );
}
