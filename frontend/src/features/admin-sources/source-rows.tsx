import { type FormEvent, useId, useState } from "react";
import type { Source, SourceRules } from "../../api/types";
import { maxCategoryText, maxDisclosure } from "../../lib/constants.json";
import { office } from "../../lib/office-paths";
import { counted } from "../../lib/rupees";
import { Button } from "../../ui/button";
import { INPUT } from "../../ui/form/field";
import { useUnsaved } from "../../ui/form/save-bar";
import { Link } from "../../ui/link";
import { SellerOffers } from "./seller-offers";
import { TagForm } from "./tag-form";

const PRESETS: Record<SourceRules["preset"], string> = {
  open: "Open",
  "amazon-india": "Amazon India",
  own: "Own rules",
};
const SWITCHES = [
  { name: "showPrice", label: "Show prices" },
  { name: "showRatings", label: "Show stars and reviews" },
  { name: "ratingsInSearch", label: "Give stars to search engines" },
  { name: "copyImages", label: "Pictures may be copied" },
  { name: "keepImages", label: "Keep copies of new deals’ pictures" },
  { name: "history", label: "Keep and show former prices" },
  { name: "alerts", label: "Price alerts" },
  { name: "checkLinks", label: "Check where links lead" },
] as const;

interface SourceBlockProps {
  of: Source;
  pending: boolean;
  onChoose: (rules: Partial<SourceRules>) => Promise<void>;
}

/** A seller in a row of the table; its tag, rules and offers are changed in rows below. */
export function SourceRows({ of, pending, onChoose }: SourceBlockProps) {
  const { source, products, rules, advice, limits, chosen, tag, sharedTag, noTag, offers } = of;
  const [open, setOpen] = useState<"tag" | "rules" | "offers">();
  const id = useId();
  const toggle = (part: "tag" | "rules" | "offers", text: string, label: string) => (
    <button
      type="button"
      className="link min-h-11 break-all text-start"
      aria-label={`${label} of ${source}: ${text}`}
      aria-expanded={open === part}
      aria-controls={`${id}-${part}`}
      onClick={() => setOpen(open === part ? undefined : part)}
    >
      {text}
    </button>
  );
  return (
    <tbody aria-label={source}>
      <tr>
        <th scope="row" className="font-semibold">
          {source}
        </th>
        <td>
          <Link to={`${office.products}?source=${encodeURIComponent(source)}`} className="link">
            {counted(products, "deal", "deals")}
          </Link>
        </td>
        <td>{toggle("tag", tag || (sharedTag ? `${sharedTag}, shared` : "No tag"), "Tag")}</td>
        <td>{toggle("rules", PRESETS[rules.preset], "Rules")}</td>
        <td>{toggle("offers", offers === 0 ? "No offers" : counted(offers, "offer", "offers"), "Offers")}</td>
      </tr>
      {limits !== undefined && advice !== null && (
        <tr>
          <td colSpan={5}>
            <div className="flex flex-wrap items-center gap-x-2">
              <p>
                {limits}
                {chosen && " You chose to show more."}
              </p>
              <Button
                className="btn-tonal"
                disabled={pending}
                onClick={() => void onChoose({ preset: advice })}
              >
                Use {PRESETS[advice]}
              </Button>
              {!chosen && (
                <Button disabled={pending} onClick={() => void onChoose({ preset: "open" })}>
                  Leave it open
                </Button>
              )}
            </div>
          </td>
        </tr>
      )}
      <tr id={`${id}-tag`} hidden={open !== "tag"}>
        <td colSpan={5}>
          {noTag === undefined || tag !== "" ? <TagForm of={of} /> : <p className="hint">{noTag}</p>}
        </td>
      </tr>
      <tr id={`${id}-rules`} hidden={open !== "rules"}>
        <td colSpan={5}>
          <RulesForm of={of} pending={pending} onChoose={onChoose} />
        </td>
      </tr>
      <tr id={`${id}-offers`} hidden={open !== "offers"}>
        <td colSpan={5}>{open === "offers" && <SellerOffers source={source} />}</td>
      </tr>
    </tbody>
  );
}

function hoursOf({ priceMaxAge }: SourceRules): string {
  return priceMaxAge === null ? "" : String(priceMaxAge);
}

const LINE = "flex min-h-11 flex-wrap items-center gap-2";

function RulesForm({ of: { source, rules }, pending, onChoose }: SourceBlockProps) {
  const [next, setNext] = useState(rules);
  const [hours, setHours] = useState(hoursOf(rules));
  // Rules changed elsewhere, or by a preset, replace the form's initial values.
  const chosen = JSON.stringify(rules);
  const [begun, setBegun] = useState(chosen);
  if (begun !== chosen) {
    setBegun(chosen);
    setNext(rules);
    setHours(hoursOf(rules));
  }
  const age = hours.trim() === "" ? null : Number(hours);
  const valid = age === null || (Number.isInteger(age) && age >= 1 && age <= 2_160);
  const save = async () => {
    if (valid) {
      const { preset: _, ...own } = next;
      await onChoose({ ...own, priceMaxAge: age });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const show = (shown: SourceRules, text: string) => {
    setNext(shown);
    setHours(text);
  };
  const discard = () => {
    show(rules, hoursOf(rules));
    return () => show(next, hours);
  };
  const dirty = JSON.stringify(next) !== chosen || hours !== hoursOf(rules);
  useUnsaved(dirty ? { save, discard } : undefined);
  return (
    <form className="grid max-w-[40rem] grid-cols-1 gap-2" onSubmit={submit}>
      <Switches of={next} onChange={setNext} />
      <label className={LINE}>
        A price is shown for how many hours (any age when empty)
        <input
          inputMode="numeric"
          autoComplete="off"
          className="number-field max-w-full"
          value={hours}
          aria-invalid={!valid}
          onChange={(event) => setHours(event.target.value)}
        />
      </label>
      {!valid && (
        <p role="alert" className="text-sm text-danger">
          Whole hours from 1 to 2160, or nothing.
        </p>
      )}
      <label className={LINE}>
        What its programme asks you to say beside its products
        <input
          autoComplete="off"
          className="number-field w-auto max-w-full flex-[1_1_16rem] px-3 text-left"
          maxLength={maxDisclosure}
          value={next.disclosure}
          onChange={(event) => setNext({ ...next, disclosure: event.target.value })}
        />
      </label>
      <label>
        Text of its page
        <textarea
          className={`${INPUT} min-h-24 py-2`}
          maxLength={maxCategoryText}
          value={next.text ?? ""}
          onChange={(event) => setNext({ ...next, text: event.target.value })}
        />
      </label>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={pending || !valid} aria-label={`Save the rules of ${source}`}>
          Save
        </Button>
        <Button variant="plain" disabled={pending} onClick={() => void onChoose({ preset: "open" })}>
          Back to open
        </Button>
      </div>
    </form>
  );
}

function Switches({ of, onChange }: { of: SourceRules; onChange: (rules: SourceRules) => void }) {
  return SWITCHES.map(({ name, label }) => (
    <label key={name} className={LINE}>
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={of[name]}
        onChange={(event) => onChange({ ...of, [name]: event.target.checked })}
      />
      {label}
    </label>
  ));
}
