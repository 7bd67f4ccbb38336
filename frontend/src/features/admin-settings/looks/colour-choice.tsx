import { type ReactNode, useId } from "react";
import { usePalette } from "../../../api/office/settings";
import { isLikeErrors } from "./is-like-errors";
import { ShopPreview } from "./shop-preview";

/** The program's own accent (styles/tokens.css). */
export const DEFAULT_COLOUR = "#f4b223";

interface ColourChoiceProps {
  colour: string;
  onChange: (colour: string) => void;
  /** True if the shop has no colour of its own. */
  isDefault: boolean;
  /** Texts of the preview that are not saved yet. */
  name?: string | undefined;
  tagline?: string | undefined;
  /** Stands behind the colour. */
  children?: ReactNode;
}

/** The colour of the shop, with a preview in both themes. */
export function ColourChoice({ colour, onChange, isDefault, name, tagline, children }: ColourChoiceProps) {
  const id = useId();
  const { data: palette } = usePalette(colour);
  return (
    <>
      <label htmlFor={id} className="text-sm text-ink-2">
        The colour of the top of every page, buttons and links, adjusted so that text stays readable.
      </label>
      <div className="flex flex-wrap items-center gap-3">
        <input
          id={id}
          type="color"
          value={colour}
          onChange={(event) => onChange(event.target.value)}
          className="h-11 w-16 rounded border border-field bg-surface p-1"
        />
        <output htmlFor={id} className="tabular text-sm">
          {colour}
        </output>
        {children}
      </div>
      {palette && (
        <div className="grid gap-3 mid:grid-cols-2">
          {(["light", "dark"] as const).map((theme) => (
            <ShopPreview
              key={theme}
              theme={theme}
              colours={
                isDefault && colour === DEFAULT_COLOUR && theme === "dark" ? undefined : palette[theme]
              }
              name={name}
              tagline={tagline}
            />
          ))}
        </div>
      )}
      {isLikeErrors(colour) && (
        <p role="status" className="hint">
          This colour is close to the red of errors and of “Delete”. Another one keeps them apart.
        </p>
      )}
    </>
  );
}
