import { office } from "../../lib/office-paths";

/** A kind of work with products. */
interface Kind {
  /** Its name in the address. */
  name: string;
  to: string;
  /** Key of its need (`/report/needs`). */
  need: string;
  title: string;
  note: string;
}

const at = (query: string) => `${office.products}?${query}`;

/** Kinds of work, the most urgent first. Deals without clicks are listed from the oldest on. */
export const KINDS: readonly [Kind, ...Kind[]] = [
  { name: "over", to: at("view=over"), need: "over", title: "Reported as over", note: "by visitors" },
  {
    name: "old-price",
    to: at("needs=old-price&sortBy=clicks"),
    need: "price",
    title: "Old price",
    note: "not checked lately",
  },
  { name: "ending", to: at("needs=ending"), need: "ending", title: "Ends soon", note: "today or tomorrow" },
  {
    name: "duplicates",
    to: at("view=duplicates"),
    need: "duplicate",
    title: "Possible duplicates",
    note: "same title and seller",
  },
  {
    name: "pictures",
    to: at("needs=pictures&sortBy=clicks"),
    need: "picture",
    title: "No picture",
    note: "failed to load",
  },
  {
    name: "no-clicks",
    to: at("needs=no-clicks&order=asc"),
    need: "clicks",
    title: "No clicks",
    note: "in 30 days",
  },
];
