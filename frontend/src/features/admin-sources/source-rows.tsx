import { type FormEvent, type ReactNode, useId, useState } from "react";
import type { Source, SourceRules } from "../../api/types";
import { maxCategoryText, maxDisclosure } from "../../lib/constants.json";
import { office } from "../../lib/office-paths";
import { count, counted } from "../../lib/rupees";
import { TagForm } from "../../product/office/affiliate/tag-form";
import { Button } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { INPUT, LABEL } from "../../ui/form/field";
import { useUnsaved } from "../../ui/form/save-bar";
import { Link } from "../../ui/link";
import { NameForm } from "./name-form";
import { SellerOffers } from "./seller-offers";

const PRESETS: Record<SourceRules["preset"], string> = {
  open: "All shown",
  "amazon-india": "Amazon’s rules",
  own: "Own rules",
};
const SWITCHES = [
  {
    title: "On its deals",
    switches: [
      { name: "showPrice", label: "Show prices" },
      { name: "history", label: "Keep and show earlier prices" },
      { name: "alerts", label: "Let visitors ask for price alerts" },
      { name: "showRatings", label: "Show stars and reviews" },
      { name: "ratingsInSearch", label: "Show stars to search engines" },
    ],
  },
  {
    title: "Pictures and links",
    switches: [
      { name: "copyImages", label: "Allow copies of its pictures in your shop" },
      { name: "keepImages", label: "Copy the pictures of new deals automatically" },
      { name: "checkLinks", label: "Check where its links lead" },
    ],
  },
] as const;

/** Part of a seller that is being changed. */
type Part = "name" | "tag" | "rules" | "offers";

interface SourceBlockProps {
  of: Source;
  /** Number of its live deals. */
  live: number;
  /** Names of the other sellers. */
  others: string[];
  pending: boolean;
  onChoose: (rules: Partial<SourceRules>) => Promise<void>;
}

/** A seller in a row of the table; its tag, rules and offers are changed in rows below. */
export function SourceRows({ of, live, others, pending, onChoose }: SourceBlockProps) {
  const { source, products, rules, advice, limits, chosen, tag, sharedTag, noTag, offers } = of;
  const hasNone = tag === "" && sharedTag === undefined && noTag === undefined;
  const [open, setOpen] = useState<Part>();
  const id = useId();
  const toggle = (part: Part, text: string, label: string, lacks = false) => (
    <button
      type="button"
      className={classNames(
        "link -mx-1 min-h-11 break-all rounded px-1 text-start aria-expanded:bg-accent-bg",
        lacks && "text-danger",
      )}
      aria-label={`${label} of ${source}: ${text}`}
      aria-expanded={open === part}
      aria-controls={`${id}-${part}`}
      onClick={() => setOpen(open === part ? undefined : part)}
    >
      {text}
    </button>
  );
  const panel = (part: Part, title: string, content: ReactNode) => (
    <tr id={`${id}-${part}`} hidden={open !== part}>
      <td colSpan={5}>
        <div className="grid gap-3 rounded border border-line p-4">
          <div className="flex items-center justify-between">
            <b className="wrap-anywhere">{title}</b>
            <Button variant="plain" aria-label={`Close ${title}`} onClick={() => setOpen(undefined)}>
              Close
            </Button>
          </div>
          {content}
        </div>
      </td>
    </tr>
  );
  return (
    <tbody aria-label={source}>
      <tr>
        <th scope="row" className="font-semibold">
          {toggle("name", source, "Name")}
        </th>
        <td data-label="Deals">
          <Link
            to={`${office.products}?source=${encodeURIComponent(source)}`}
            className="link inline-flex min-h-11 items-center"
          >
            {counted(live, "deal", "deals")}
          </Link>
          {products > live && (
            <small className="block">{`and ${count(products - live)} scheduled, drafts or ended`}</small>
          )}
        </td>
        <td data-label="Your affiliate tag">
          {toggle("tag", tag || (sharedTag ? `${sharedTag}, shared` : "No tag"), "Tag", hasNone)}
          {hasNone && <small className="block">its clicks may earn nothing</small>}
        </td>
        <td data-label="What is shown">{toggle("rules", PRESETS[rules.preset], "What is shown")}</td>
        <td data-label="Offers">
          {toggle("offers", offers === 0 ? "No offers" : counted(offers, "offer", "offers"), "Offers")}
        </td>
      </tr>
      {panel("name", `${source}: its name`, open === "name" && <NameForm source={source} others={others} />)}
      {panel(
        "tag",
        `${source}: affiliate tag`,
        noTag === undefined || tag !== "" ? <TagForm of={of} /> : <p className="hint">{noTag}</p>,
      )}
      {panel(
        "rules",
        `${source}: what is shown`,
        <RulesForm of={of} pending={pending} onChoose={onChoose} />,
      )}
      {panel("offers", `${source}: offers`, open === "offers" && <SellerOffers source={source} />)}
      {limits !== undefined && advice !== null && (
        <tr>
          <td colSpan={5}>
            <div className="flex flex-wrap items-center gap-2 wide:flex-nowrap">
              <p className="min-w-0 flex-1 basis-80">
                {limits}
                {chosen && " You chose to show more."}
                <small className="block">
                  With its rules, a price is hidden until you check it again, and stars, earlier prices and
                  alerts of its deals are not shown. Without them, the affiliate programme may close your
                  account.
                </small>
              </p>
              <Button
                className="btn-tonal"
                disabled={pending}
                onClick={() => void onChoose({ preset: advice })}
              >
                Follow {PRESETS[advice]}
              </Button>
              {!chosen && (
                <Button disabled={pending} onClick={() => void onChoose({ preset: "open" })}>
                  Show all
                </Button>
              )}
            </div>
          </td>
        </tr>
      )}
    </tbody>
  );
}

function hoursOf({ priceMaxAge }: SourceRules): string {
  return priceMaxAge === null ? "" : String(priceMaxAge);
}

const LINE = "flex min-h-11 flex-wrap items-center gap-2";

function RulesForm({
  of: { source, rules },
  pending,
  onChoose,
}: Pick<SourceBlockProps, "of" | "pending" | "onChoose">) {
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
    <form className="grid max-w-[30rem] grid-cols-1 gap-4" onSubmit={submit}>
      <Switches of={next} onChange={setNext} />
      <label>
        <span className={LABEL}>Hide prices older than (hours; empty: never)</span>
        <input
          inputMode="numeric"
          autoComplete="off"
          className={INPUT}
          value={hours}
          aria-invalid={!valid}
          onChange={(event) => setHours(event.target.value)}
        />
      </label>
      {!valid && (
        <p role="alert" className="text-sm text-danger">
          Enter whole hours from 1 to 2160, or leave it empty.
        </p>
      )}
      <label>
        <span className={LABEL}>Required notice beside its deals</span>
        <input
          autoComplete="off"
          className={INPUT}
          maxLength={maxDisclosure}
          value={next.disclosure}
          onChange={(event) => setNext({ ...next, disclosure: event.target.value })}
        />
      </label>
      <label>
        <span className={LABEL}>Text on its page in the shop</span>
        <textarea
          className={`${INPUT} h-auto min-h-24 py-2`}
          maxLength={maxCategoryText}
          value={next.text ?? ""}
          onChange={(event) => setNext({ ...next, text: event.target.value })}
        />
      </label>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          disabled={pending || !valid}
          aria-label={`Save the rules of ${source}`}
        >
          Save
        </Button>
        <Button variant="plain" disabled={pending} onClick={() => void onChoose({ preset: "open" })}>
          Show all again
        </Button>
      </div>
    </form>
  );
}

function Switches({ of, onChange }: { of: SourceRules; onChange: (rules: SourceRules) => void }) {
  return SWITCHES.map(({ title, switches }) => (
    <fieldset key={title}>
      <legend className={LABEL}>{title}</legend>
      {switches.map(({ name, label }) => (
        <label key={name} className={LINE}>
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={of[name]}
            onChange={(event) => onChange({ ...of, [name]: event.target.checked })}
          />
          {label}
        </label>
      ))}
    </fieldset>
  ));
}
