import activity from "icon:activity";
import swap from "icon:arrow-up-down";
import bookmark from "icon:bookmark-plus";
import chart from "icon:chart-column";
import gallery from "icon:gallery-horizontal-end";
import key from "icon:key-round";
import overview from "icon:layout-dashboard";
import grid from "icon:layout-grid";
import mails from "icon:mails";
import front from "icon:panel-top";
import plug from "icon:plug";
import send from "icon:send";
import settings from "icon:settings";
import tag from "icon:tag";
import users from "icon:users";
import webhook from "icon:webhook";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import type { Drawing } from "../../ui/icon";

export interface Place {
  to: string;
  name: string;
  /** The screen in a few words. */
  hint?: string;
  /** Other words by which it is found. */
  words?: string;
  icon: Drawing;
  /** Only administrators see it. */
  admins?: true;
  /** Screens that are its tabs. */
  tabs?: Place[];
}

/** Tabs of the posts besides the first, as the palette finds them. */
const POSTS = {
  sent: {
    to: office.outgoing,
    name: "Posts: Sent",
    hint: "Sent posts, and mails and posts waiting to be sent",
    words: "outbox outgoing mails messages waiting failed delivery",
    icon: mails,
    admins: true,
  },
  channels: {
    to: office.channels,
    name: "Posts: Channels",
    hint: "Where deals are posted, like Telegram",
    words: "telegram whatsapp discord posting social group bot",
    icon: send,
    admins: true,
  },
} satisfies Record<string, Place>;

const MAIN = {
  overview: { to: paths.admin, name: "Today", icon: overview, words: "home overview dashboard tasks week" },
  products: { to: office.products, name: "Products", icon: tag, words: "deals prices discounts duplicates" },
  sources: {
    to: office.sources,
    name: "Sellers",
    icon: plug,
    hint: "Your affiliate tags, sellers' rules, coupons and bank offers",
    words:
      "stores affiliate tag id commission earn earnings money amazon flipkart coupon bank card offer codes",
    admins: true,
  },
  categories: { to: office.categories, name: "Categories", icon: grid, words: "menu icons", admins: true },
  frontPage: {
    to: office.frontPage,
    name: "Home page",
    icon: front,
    words: "front page banner sections layout",
    admins: true,
  },
  posts: {
    to: office.queue,
    name: "Posts",
    icon: send,
    hint: "What goes out, when, and to where",
    words: "queue planned schedule scheduled later",
    tabs: Object.values(POSTS),
  },
  reports: {
    to: office.reports,
    name: "Reports",
    icon: chart,
    words: "clicks statistics analytics visitors",
  },
  settings: {
    to: office.settings,
    name: "Settings",
    icon: settings,
    words: "options configuration",
    admins: true,
  },
} satisfies Record<string, Place>;

const SHOP = {
  collections: {
    to: office.collections,
    name: "Collections",
    icon: gallery,
    hint: "Pages like “Under ₹500”",
    words: "lists festival sale occasion",
    admins: true,
  },
  capture: {
    to: office.capture,
    name: "Ways to add",
    icon: bookmark,
    hint: "Add deals from any page, or the phone",
    words: "bookmark share phone add browser",
  },
  files: {
    to: office.files,
    name: "Import and export",
    icon: swap,
    hint: "Many deals at once, from a file",
    words: "csv excel file upload download spreadsheet",
  },
  people: {
    to: office.people,
    name: "People",
    icon: users,
    hint: "Who helps you, and what they may do",
    words: "users accounts invite helper editor role password team staff",
    admins: true,
  },
  activity: {
    to: office.activity,
    name: "Activity",
    icon: activity,
    hint: "Who changed what",
    words: "log history changes undo",
  },
} satisfies Record<string, Place>;

const ADVANCED = {
  keys: {
    to: office.keys,
    name: "API keys",
    icon: key,
    hint: "Let other apps read or add deals",
    words: "token app program developer",
    admins: true,
  },
  webhooks: {
    to: office.webhooks,
    name: "Webhooks",
    icon: webhook,
    hint: "Tell other apps of changes",
    words: "zapier app program developer",
    admins: true,
  },
} satisfies Record<string, Place>;

/** Screens of the office in the order of the navigation. */
export const PLACES = { ...MAIN, ...SHOP, ...ADVANCED };

/** The navigation's own entries; the other screens are below its “More”. */
export const IN_RAIL: Place[] = Object.values(MAIN);

/** Lists of “More” by their names. */
export const GROUPS: Record<string, Place[]> = {
  Office: IN_RAIL,
  Shop: Object.values(SHOP),
  Advanced: Object.values(ADVANCED),
};

/** Returns the places that an account sees. */
export function placesOf(
  { isAdmin }: { isAdmin: boolean },
  places: Place[] = Object.values(PLACES),
): Place[] {
  return places.filter(({ admins }) => isAdmin || !admins);
}

/** Returns true for a screen at a path, or one with it as a tab. */
export function isAt({ to, tabs }: Place, pathname: string): boolean {
  return to === pathname || tabs?.some((tab) => tab.to === pathname) === true;
}

/** Returns the name of the screen at a path, or of the office. */
export function titleOf(pathname: string): string {
  return Object.values<Place>(PLACES).find((place) => isAt(place, pathname))?.name ?? "Office";
}
