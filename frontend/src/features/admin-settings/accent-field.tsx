import { type CSSProperties, useId, useState } from "react";
import { fetchPalette, usePalette } from "../../api/office/settings";
import type { AccentColours } from "../../api/types";
import { showColours } from "../../shop/colours";
import { Button } from "../../ui/button";
import { useUnsaved } from "../../ui/form/save-bar";
import { isLikeErrors } from "./is-like-errors";
import type { Save } from "./save";

/** The program's own accent (styles/tokens.css). */
const DEFAULT = "#f4b223";
/** Backgrounds of both themes (styles/tokens.css). */
const GROUNDS = { light: "#ffffff", dark: "#191c21" } as const;

export function AccentField({ accent, save }: { accent: string | null; save: Save }) {
  const id = useId();
  const [colour, setColour] = useState(accent ?? DEFAULT);
  const [error, setError] = useState<string>();
  const { data: palette } = usePalette(colour);
  const isOwn = accent === null && colour === DEFAULT;
  const set = async (wanted: string) => {
    const refusal = await save({ accent: wanted });
    setError(refusal?.fields.accent ?? refusal?.text);
    if (!refusal) {
      // Without them the page has the colours from its next visit.
      await fetchPalette(wanted || DEFAULT).then(showColours, () => undefined);
    }
  };
  const saved = accent ?? DEFAULT;
  const discard = () => {
    setColour(saved);
    setError(undefined);
    return () => setColour(colour);
  };
  useUnsaved(colour === saved ? undefined : { save: () => set(colour), discard });
  return (
    <section className="panel">
      <h2>Colour</h2>
      <label htmlFor={id} className="text-sm text-ink-2">
        Buttons and links have this colour, as near to it as is readable in both themes.
      </label>
      <div className="flex flex-wrap items-center gap-3">
        <input
          id={id}
          type="color"
          value={colour}
          onChange={(event) => setColour(event.target.value)}
          className="h-11 w-16 rounded border border-field bg-surface p-1"
        />
        <output htmlFor={id} className="tabular text-sm">
          {colour}
        </output>
        {accent !== null && (
          <Button
            onClick={() => {
              setColour(DEFAULT);
              void set("");
            }}
          >
            Default colour
          </Button>
        )}
      </div>
      {palette && (
        <div className="grid grid-cols-2 gap-3">
          {(["light", "dark"] as const).map((theme) => (
            <Preview
              key={theme}
              theme={theme}
              colours={isOwn && theme === "dark" ? undefined : palette[theme]}
            />
          ))}
        </div>
      )}
      {isLikeErrors(colour) && (
        <p role="status" className="hint">
          This colour is close to the red of errors and of “Delete”. Another one keeps them apart.
        </p>
      )}
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </section>
  );
}

interface PreviewProps {
  theme: keyof typeof GROUNDS;
  /** The theme's own colours if left out. */
  colours: AccentColours | undefined;
}

function Preview({ theme, colours }: PreviewProps) {
  const variables = {
    ...(colours && {
      "--accent": colours.accent,
      "--fill": colours.fill,
      "--on-fill": colours.onFill,
      "--accent-bg": colours.accentBg,
    }),
    background: GROUNDS[theme],
  } as CSSProperties;
  return (
    <figure data-theme={theme} style={variables} className="rounded border border-line p-3">
      <span className="btn btn-primary w-full">Buy It</span>
      <span className="mt-2 block rounded bg-accent-bg p-2 text-center text-sm font-semibold text-accent">
        Chosen
      </span>
      <figcaption className="pt-2 text-center text-xs text-accent">{theme}</figcaption>
    </figure>
  );
}
