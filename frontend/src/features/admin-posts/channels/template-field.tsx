import { useFormikContext } from "formik";
import { useEffect, useRef, useState } from "react";
import type { ChannelKind } from "../../../api/types";
import { PostPreview } from "../../../product/office/posting/post-preview";
import { Button } from "../../../ui/button";
import { TextAreaField } from "../../../ui/form/field";
import { DESIGNS, PLACES } from "./kinds";

/** Pause in typing after which the preview is fetched, in milliseconds. */
const PAUSE = 300;
const MOST = 2_000;

interface TemplateValues {
  kind: ChannelKind;
  template: string;
}

/** The template of a channel's posts, with the newest deal as it would be posted. */
export function TemplateField({ usual }: { usual: string }) {
  const { values, errors, setFieldValue } = useFormikContext<TemplateValues>();
  const { kind, template } = values;
  const block = useRef<HTMLDivElement>(null);
  const insert = (place: string) => {
    const field = block.current?.querySelector("textarea");
    const at = field?.selectionStart ?? template.length;
    const text = `${template.slice(0, at)}{${place}}${template.slice(field?.selectionEnd ?? at)}`;
    void setFieldValue("template", text);
    requestAnimationFrame(() => {
      const after = at + place.length + 2;
      field?.focus();
      field?.setSelectionRange(after, after);
    });
  };
  return (
    <div ref={block} className="flex flex-col gap-2">
      <p className="font-semibold">Your newest deal as a post</p>
      <Preview kind={kind} template={template} />
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Designs</legend>
        {[["Usual", usual] as const, ...DESIGNS].map(([name, text]) => (
          <Button
            key={name}
            aria-pressed={template === text}
            className="aria-pressed:border-accent aria-pressed:bg-accent-bg"
            onClick={() => void setFieldValue("template", text)}
          >
            {name}
          </Button>
        ))}
      </fieldset>
      <details className="disclosure" open={errors.template !== undefined || undefined}>
        <summary>Write it yourself</summary>
        <div className="flex flex-col gap-2 pt-2">
          <TextAreaField
            name="template"
            label="Template"
            hint="Words in { } become the deal’s values. A line whose values are all missing is left out. <b>bold</b> is bold; <i>, <s>, <u> and <code> work too."
            maxLength={MOST}
            rows={7}
          />
          <fieldset className="flex flex-wrap gap-1">
            <legend className="sr-only">Put a value where the cursor is</legend>
            {PLACES.map(([place, words]) => (
              <Button key={place} className="px-2 text-sm" onClick={() => insert(place)}>
                {words}
              </Button>
            ))}
          </fieldset>
        </div>
      </details>
    </div>
  );
}

/** The newest deal as it would be posted. */
function Preview({ kind, template }: TemplateValues) {
  const [typed, setTyped] = useState(template);
  useEffect(() => {
    const timer = setTimeout(() => setTyped(template), PAUSE);
    return () => clearTimeout(timer);
  }, [template]);
  return <PostPreview kind={kind} template={typed} />;
}
