import { useId, useState } from "react";
import { fetchPalette, usePalette } from "../../api/office/settings";
import { showColours } from "../../shop/colours";
import { Button } from "../../ui/button";
import { useUnsaved } from "../../ui/form/save-bar";
import { isLikeErrors } from "./is-like-errors";
import type { Save } from "./save";
import { NotSaved } from "./sections/section-form";
import { ShopPreview } from "./shop-preview";

/** The program's own accent (styles/tokens.css). */
const DEFAULT = "#f4b223";

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
  useUnsaved(colour === saved ? undefined : { save: () => set(colour), discard, own: true });
  return (
    <section id="colour" className="panel">
      <h2>Colour</h2>
      <label htmlFor={id} className="text-sm text-ink-2">
        The top of every page, buttons and links have this colour, as near to it as is readable in both
        themes.
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
        <div className="grid gap-3 mid:grid-cols-2">
          {(["light", "dark"] as const).map((theme) => (
            <ShopPreview
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
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void set(isOwn ? "" : colour)}>
          Save colour
        </Button>
        <NotSaved is={colour !== saved} />
      </div>
    </section>
  );
}
