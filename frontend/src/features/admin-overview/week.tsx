import icon from "icon:share-2";
import type { Overview } from "../../api/types";
import { count } from "../../lib/rupees";
import { truncate } from "../../lib/truncate";
import { defaultShop, useShop } from "../../shop/shop";
import { Icon } from "../../ui/icon";
import { useToast } from "../../ui/toast/toast";
import { steps } from "./week-line";
import { shareWeek } from "./week-picture";

/** Number of days in the line. */
const DAYS = 7;
/** Characters of the title of the most clicked deal. */
const TITLE = 48;

/** The clicks of the week as a poster, which can be shared as a picture. */
export function Week({ overview }: { overview: Overview }) {
  const { name } = useShop();
  const toast = useToast();
  const { week, best, days, products } = overview;
  // On its first days a shop has deals to show, and no clicks yet.
  const isNew = week.now + week.before === 0;
  const number = count(isNew ? products : week.now);
  // The current day is not over.
  const line = days.slice(-DAYS - 1, -1).map((day) => day.counted);
  const parts = isNew ? [{ text: firstWords(name, products) }] : sentence(name, week, best);
  const share = async () => {
    const text = parts.map(({ text }) => text).join("");
    try {
      const outcome = await shareWeek({ number, text, line, name });
      if (outcome === "saved") {
        toast({ title: "The picture is saved" });
      }
    } catch {
      toast({ title: "The picture could not be shared", failure: true });
    }
  };
  return (
    <section
      aria-labelledby="week"
      className="relative isolate overflow-hidden rounded-[20px] bg-band px-5 pt-4 pb-26 text-on-band wide:px-8 wide:pt-7 wide:pb-40 forced-colors:outline-1 forced-colors:-outline-offset-1"
    >
      <h2 id="week" className="font-semibold">
        {isNew ? "Your shop" : "This week"}
      </h2>
      <p className="display text-[5.25rem] leading-none wide:text-[9.375rem]">{number}</p>
      <p className="max-w-[32ch] text-[1.0625rem] leading-[1.4] wrap-anywhere wide:text-[1.25rem]">
        {parts.map(({ text, strong }) =>
          strong ? (
            <b key={text} className="font-bold">
              {text}
            </b>
          ) : (
            text
          ),
        )}
      </p>
      {!isNew && (
        <svg
          className="absolute inset-x-0 bottom-0 -z-1 h-24 w-full stroke-none wide:h-38"
          viewBox="0 0 100 40"
          preserveAspectRatio="none"
          aria-hidden
        >
          <path className="fill-current opacity-12" d={`${steps(line, 100, 40)}V40H0Z`} />
          <path
            className="stroke-[2.5] stroke-current opacity-70 [stroke-linejoin:miter] [vector-effect:non-scaling-stroke]"
            d={steps(line, 100, 40)}
          />
        </svg>
      )}
      {number !== "0" && (
        <button
          type="button"
          className="btn absolute right-4 bottom-4 border-transparent bg-on-band text-band"
          onClick={() => void share()}
        >
          <Icon of={icon} />
          Share this
        </button>
      )}
    </section>
  );
}

function firstWords(name: string, products: number): string {
  const deals = products === 1 ? "deal is" : "deals are";
  return products === 0
    ? "deals so far. Paste the link of your first one above."
    : `${deals} in ${name === defaultShop.name ? "your shop" : name}. Each click to a seller is counted here.`;
}

function sentence(name: string, { now, before }: Overview["week"], best: Overview["best"]) {
  const more = now - before;
  const change = more === 0 ? "as many as" : `${count(Math.abs(more))} ${more > 0 ? "more" : "fewer"}`;
  const than = more === 0 ? " in the week before." : " than the week before.";
  const clicks = `${now === 1 ? "click" : "clicks"} to sellers through ${name}`;
  if (before === 0) {
    return [{ text: `${clicks}.` }, ...ofBest(best)];
  }
  return [{ text: `${clicks}, ` }, { text: change, strong: true }, { text: than }, ...ofBest(best)];
}

function ofBest(best: Overview["best"]): { text: string; strong?: boolean }[] {
  return best === null
    ? []
    : [
        { text: " Most clicked: the " },
        { text: truncate(best.title, TITLE), strong: true },
        { text: best.title.length > TITLE ? "" : "." },
      ];
}
