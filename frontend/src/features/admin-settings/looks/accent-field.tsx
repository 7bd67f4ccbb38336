import { useState } from "react";
import { fetchPalette } from "../../../api/office/settings";
import { showColours } from "../../../shop/colours";
import { Button } from "../../../ui/button";
import { useUnsaved } from "../../../ui/form/save-bar";
import type { Save } from "../save";
import { NotSaved } from "../sections/section-form";
import { ColourChoice, DEFAULT_COLOUR } from "./colour-choice";

export function AccentField({ accent, save }: { accent: string | null; save: Save }) {
  const [colour, setColour] = useState(accent ?? DEFAULT_COLOUR);
  const [error, setError] = useState<string>();
  const set = async (wanted: string) => {
    const refusal = await save({ accent: wanted });
    setError(refusal?.fields.accent ?? refusal?.text);
    if (!refusal) {
      // Without them the page has the colours from its next visit.
      await fetchPalette(wanted || DEFAULT_COLOUR).then(showColours, () => undefined);
    }
  };
  const saved = accent ?? DEFAULT_COLOUR;
  const discard = () => {
    setColour(saved);
    setError(undefined);
    return () => setColour(colour);
  };
  useUnsaved(colour === saved ? undefined : { save: () => set(colour), discard, own: true });
  return (
    <section id="colour" className="panel">
      <h2>Colour</h2>
      <ColourChoice colour={colour} onChange={setColour} isDefault={accent === null}>
        {accent !== null && (
          <Button
            onClick={() => {
              setColour(DEFAULT_COLOUR);
              void set("");
            }}
          >
            Default colour
          </Button>
        )}
      </ColourChoice>
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          onClick={() => void set(accent === null && colour === DEFAULT_COLOUR ? "" : colour)}
        >
          Save colour
        </Button>
        <NotSaved is={colour !== saved} />
      </div>
    </section>
  );
}
