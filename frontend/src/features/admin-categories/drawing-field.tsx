import { useField } from "formik";
import { useId } from "react";
import { drawings } from "../../lib/constants.json";
import { Icon } from "../../ui/icon";

/** The choice among the drawings of categories, which are shown. */
export function DrawingField({ name }: { name: string }) {
  const [{ value }, , { setValue }] = useField<string>(name);
  const group = useId();
  return (
    <fieldset className="grid gap-1.5">
      <legend className="pb-1.5 font-semibold">Icon</legend>
      <div className="grid max-h-44 grid-cols-[repeat(auto-fill,44px)] gap-1 overflow-y-auto rounded border border-line p-1">
        {drawings.map((drawing) => (
          <label
            key={drawing}
            title={drawing.replaceAll("-", " ")}
            className="relative grid h-11 cursor-pointer place-items-center rounded border border-transparent has-checked:border-accent has-checked:bg-accent-bg has-focus-visible:outline-2"
          >
            <input
              type="radio"
              name={group}
              className="absolute inset-0 cursor-pointer opacity-0"
              aria-label={drawing.replaceAll("-", " ")}
              checked={drawing === value}
              onChange={() => void setValue(drawing)}
            />
            <Icon of={[["use", { href: `/drawings.svg#${drawing}` }]]} className="size-6" />
          </label>
        ))}
      </div>
      <p className="hint">Shown when a picture is missing</p>
    </fieldset>
  );
}
