import { count, rupees } from "../../lib/rupees";
import { moment } from "../../lib/time";
import { exactPercent } from "../../product/office/exact-percent";
import { PRODUCT_FIELDS } from "../../shop/product-fields";

type Details = Record<string, unknown>;

/** Labels of settings that are not their names, as in their forms. */
const LABELS: Record<string, string> = {
  disclosure: "How the shop earns",
  whatsapp: "WhatsApp",
  accent: "Colour",
  mark: "Logo",
  sameWords: "Words for the same thing",
  frontPage: "Sections of the front page",
  digestHour: "Hour of the mails of new deals",
};

/** Labels of what is set of the server. */
const SERVER: Record<string, string> = {
  "server.mail": "Mail server",
  "server.mail.secret": "Password of the mail server",
  "server.backups": "Place of the backups",
  "server.backups.secret": "Secret key of the backups",
  "server.copy": "A copy of the database",
  "server.subscribers": "Addresses that get mails",
};

/** Words for an empty value; `none` for other fields. */
const EMPTY: Record<string, string> = {
  startsAt: "at once",
  endsAt: "never",
  accent: "default colour",
};

const RULES: Record<string, string> = {
  "": "not chosen",
  open: "all",
  "amazon-india": "what Amazon’s rules allow",
};

/** Things that are added, changed and removed, by what their names begin with. */
const THINGS: Record<string, string> = {
  category: "Category",
  offers: "Offer of",
  collection: "Collection",
  webhook: "Webhook to",
  channel: "Channel",
};

/** Describes the details of a log entry, a line for each field or count. */
export function changeWords(details: Details): string[] {
  return Object.entries(details).map(([name, value]) => words(name, value));
}

function words(name: string, value: unknown): string {
  if (typeof value !== "object" || value === null) {
    return `${typeof value === "number" ? count(value) : String(value)} ${name}`;
  }
  const change = value as { from?: unknown; to?: unknown; at?: unknown };
  if (name === "struckPrice") {
    return `Removed price: ${rupees(Number(change.from))} of ${moment(String(change.at))}`;
  }
  if (name === "priceChange") {
    return `Final prices: ${String(change.to)}`;
  }
  if (name === "seller") {
    return `Seller ${String(change.from)} is called ${String(change.to)}`;
  }
  const ofServer = SERVER[name];
  if (ofServer !== undefined) {
    if (name === "server.copy") {
      return `${ofServer} made`;
    }
    return name.endsWith(".secret")
      ? `${ofServer} ${happened(change)}`
      : line(ofServer, change, (part) => shown(name, part));
  }
  const [kind = "", ...rest] = name.split(".");
  const about = rest.join(".");
  const asShown = (part: unknown) => shown(name, part);
  if (about !== "" && THINGS[kind] !== undefined) {
    const thing = `${THINGS[kind]} ${about}`;
    return change.from && change.to
      ? line(thing, change, asShown)
      : `${thing} ${happened(change)}: ${asShown(change.to || change.from)}`;
  }
  switch (kind) {
    case "page":
      return `Page “${pageTitle(change) ?? about}” ${happened(change)}`;
    case "source":
      return line(`What is shown of ${about}`, change, rules);
    case "tag":
      return line(`Tag of ${about}`, change, asShown);
    case "secondFactor":
      return line(`Second factor of ${about}`, change, asShown);
    case "recoveryCodes":
      return line(`Recovery codes of ${about}`, change, asShown);
    case "sellerText":
      return `Text of ${about} ${happened(change)}`;
    case "shop":
      return `Shop ${about} ${happened(change)}`;
  }
  if (name.startsWith("key.")) {
    return line(`API key “${name.slice("key.".length)}”`, change, (part) => String(part || "none"));
  }
  if (name.startsWith("person.")) {
    return person(name.slice("person.".length), change);
  }
  const label = PRODUCT_FIELDS[name]?.label ?? LABELS[name] ?? capitalized(name);
  if (name === "mark" || name === "description") {
    return `${label} ${happened(change)}`;
  }
  if (name !== "tags" && isSameLength(change)) {
    return `${label} changed`;
  }
  return line(label, change, (part) => shown(name, part));
}

/** Describes a change of an account: an empty `to` removed it, an empty `from` is an act. */
function person(email: string, { from, to }: { from?: unknown; to?: unknown }): string {
  if (to === "") {
    return from === "invited" ? `Invitation of ${email} withdrawn` : `${email} removed (${String(from)})`;
  }
  const now = String(to).replace(/\badmin$/, "administrator");
  return from === "" ? `${email} ${now}` : `${email}: ${String(from)} → ${now}`;
}

function line(label: string, change: { from?: unknown; to?: unknown }, show: (part: unknown) => string) {
  return `${label}: ${"from" in change ? `${show(change.from)} → ` : ""}${show(change.to)}`;
}

function happened({ from, to }: { from?: unknown; to?: unknown }): string {
  if (to === "") {
    return "removed";
  }
  return from === "" ? "added" : "changed";
}

/** Returns the title of a page, the first line of its Markdown. */
function pageTitle({ from, to }: { from?: unknown; to?: unknown }): string | undefined {
  return /^# (.+)/.exec(String(to || from))?.[1];
}

function rules(part: unknown): string {
  return RULES[String(part)] ?? "what own rules allow";
}

function isSameLength({ from, to }: { from?: unknown; to?: unknown }): boolean {
  return Array.isArray(from) && Array.isArray(to) && from.length === to.length;
}

function shown(name: string, part: unknown): string {
  if (part === null || part === undefined || part === "") {
    return EMPTY[name] ?? "none";
  }
  if (Array.isArray(part)) {
    const words = name === "tags" ? part.join(", ") : count(part.length);
    return part.length === 0 ? "none" : words;
  }
  if (typeof part === "number") {
    return FORMATS[name]?.(part) ?? count(part);
  }
  if (name === "startsAt" || name === "endsAt") {
    return moment(String(part));
  }
  return name === "status" ? capitalized(String(part)) : String(part);
}

const FORMATS: Record<string, (number: number) => string> = {
  price: rupees,
  finalPrice: rupees,
  discount: exactPercent,
};

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
