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
  frontPage: "Sections of the home page",
  digestHour: "Hour of the mails of new deals",
};

/** Labels of what is set of the server. */
const SERVER: Record<string, string> = {
  "server.mail": "Mail server",
  "server.mail.secret": "Password of the mail server",
  "server.backups": "Backup location",
  "server.backups.secret": "Secret key of the backups",
  "server.copy": "A copy of the database",
  "server.subscribers": "Addresses that get mails",
};

/** Words for an empty value; other fields are removed. */
const EMPTY: Record<string, string> = {
  startsAt: "at once",
  endsAt: "never",
  accent: "the default colour",
};

interface Change {
  from?: unknown;
  to?: unknown;
  at?: unknown;
}

const RULES: Record<string, string> = { open: "none", "amazon-india": "those of Amazon India" };

const plain = (part: unknown) => String(part);

/** Sentences about named things, by what their entries begin with. */
const NAMED: Record<string, (name: string, change: Change) => string> = {
  page: (name, change) => `Page “${pageTitle(change) ?? name}” ${happened(change)}`,
  source: (name, change) => sentence(`Rules of ${name}`, change, rules),
  tag: (name, change) => sentence(`Tag of ${name}`, change, plain),
  secondFactor: (name, { to }) =>
    `Second factor of ${name} ${to === "reset" ? "reset" : `switched ${String(to)}`}`,
  recoveryCodes: (name, { to }) => `Recovery codes of ${name}: ${String(to)} left`,
  category: (name, change) => moved(`Category “${name}”`, change),
  offers: (name, change) => `Offer at ${name} ${happened(change)}: ${String(change.to || change.from)}`,
  sellerText: (name, change) => `Text about ${name} ${happened(change)}`,
  collection: (name, change) => `Collection “${name}” ${happened(change)}`,
  channel: (name, change) => switched(`Channel “${name}”`, change),
  webhook: (name, change) => switched(`Webhook to ${name}`, change),
  shop: (name, change) => `Link rules of ${name} ${happened(change)}`,
  key: (name, change) =>
    `API key “${name}” ${happened(change)}${isEmpty(change.to) ? "" : `: ${String(change.to)}`}`,
  person,
};

/** Describes the details of a log entry, a sentence for each field or count. */
export function changeWords(details: Details): string[] {
  return Object.entries(details).map(([name, value]) => words(name, value));
}

function words(name: string, value: unknown): string {
  if (typeof value !== "object" || value === null) {
    return `${typeof value === "number" ? count(value) : String(value)} ${name}`;
  }
  const change = value as Change;
  if (name === "struckPrice") {
    return `Removed price: ${rupees(Number(change.from))} of ${moment(String(change.at))}`;
  }
  if (name === "queue") {
    return queue(String(change.from), String(change.to));
  }
  if (name === "priceChange") {
    return `Final prices: ${String(change.to)}`;
  }
  const [, kind = "", of = ""] = /^([A-Za-z]+)\.(.*)$/s.exec(name) ?? [];
  const named = NAMED[kind];
  if (named) {
    return named(of, change);
  }
  const ofServer = SERVER[name];
  if (ofServer !== undefined) {
    if (name === "server.copy") {
      return `${ofServer} made`;
    }
    return name.endsWith(".secret") ? `${ofServer} ${happened(change)}` : sentence(ofServer, change, plain);
  }
  const label = PRODUCT_FIELDS[name]?.label ?? LABELS[name] ?? capitalized(name);
  if (WHOLE.has(name) || (name !== "tags" && isSameLength(change))) {
    return `${label} ${happened(change)}`;
  }
  return sentence(label, change, (part) => shown(name, part), EMPTY[name]);
}

/** Describes a change of the queue's rules without the parts that stay. */
function queue(from: string, to: string): string {
  const [before, after] = [from.split(", "), to.split(", ")];
  const gone = before.filter((part) => !after.includes(part));
  const come = after.filter((part) => !before.includes(part));
  // Only the word “paused” comes or goes alone.
  if (gone.length === 0 || come.length === 0) {
    return come.length === 0 ? "Queue continued" : "Queue paused";
  }
  return `Queue changed from ${gone.join(", ")} to ${come.join(", ")}`;
}

/** Texts too long for a line, or in no language of people. */
const WHOLE = new Set(["mark", "description", "sameWords", "frontPage"]);

/** A category is described by its place, and its icon after the last comma. */
function moved(label: string, change: Change): string {
  const place = (part: unknown) => String(part).replace(/, [^,]*$/, "");
  const same = place(change.from) === place(change.to);
  return same || happened(change) !== "changed"
    ? `${label} ${happened(change)}`
    : `${label} changed from ${place(change.from)} to ${place(change.to)}`;
}

/** Describes a change of an account: an empty `to` removed it, an empty `from` is an act. */
function person(email: string, { from, to }: Change): string {
  if (to === "") {
    return from === "invited" ? `Invitation of ${email} withdrawn` : `${email} removed (${String(from)})`;
  }
  const now = String(to).replace(/\badmin$/, "administrator");
  return from === "" ? `${email} ${now}` : `${email} is now ${now}, before: ${String(from)}`;
}

/** Says what became of a value, in a sentence. */
function sentence(label: string, change: Change, show: (part: unknown) => string, empty?: string): string {
  const { from, to } = change;
  if (isEmpty(to)) {
    return empty === undefined ? `${label} removed, it was ${show(from)}` : `${label} set to ${empty}`;
  }
  return isEmpty(from) ? `${label} set to ${show(to)}` : `${label} changed from ${show(from)} to ${show(to)}`;
}

/** Says what became of something that is on or off; the log describes it with “, off” at its end. */
function switched(label: string, change: Change): string {
  const [from, to] = [String(change.from), String(change.to)];
  if (to === `${from}, off`) {
    return `${label} switched off`;
  }
  return from === `${to}, off` ? `${label} switched on` : `${label} ${happened(change)}`;
}

function isEmpty(part: unknown): boolean {
  return part === null || part === undefined || part === "" || (Array.isArray(part) && part.length === 0);
}

function happened({ from, to }: Change): string {
  if (isEmpty(to)) {
    return "removed";
  }
  return isEmpty(from) ? "added" : "changed";
}

/** Returns the title of a page, the first line of its Markdown. */
function pageTitle({ from, to }: Change): string | undefined {
  return /^# (.+)/.exec(String(to || from))?.[1];
}

function rules(part: unknown): string {
  return RULES[String(part)] ?? "its own";
}

function isSameLength({ from, to }: Change): boolean {
  return Array.isArray(from) && Array.isArray(to) && from.length === to.length;
}

function shown(name: string, part: unknown): string {
  if (Array.isArray(part)) {
    return name === "tags" ? part.join(", ") : count(part.length);
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
