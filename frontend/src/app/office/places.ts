import activity from "icon:activity";
import swap from "icon:arrow-up-down";
import bookmark from "icon:bookmark-plus";
import clock from "icon:calendar-clock";
import chart from "icon:chart-column";
import gallery from "icon:gallery-horizontal-end";
import inbox from "icon:inbox";
import key from "icon:key-round";
import overview from "icon:layout-dashboard";
import grid from "icon:layout-grid";
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
  icon: Drawing;
  /** Only administrators see it. */
  admins?: true;
}

const GROUPED = {
  "Daily work": {
    overview: { to: paths.admin, name: "Today", icon: overview },
    products: { to: office.products, name: "Products", icon: tag },
    reports: { to: office.reports, name: "Reports", icon: chart },
  },
  "Add deals": {
    capture: { to: office.capture, name: "Ways to add", icon: bookmark },
    files: { to: office.files, name: "Import and export", icon: swap },
  },
  Shop: {
    frontPage: { to: office.frontPage, name: "Front page", icon: front, admins: true },
    categories: { to: office.categories, name: "Categories", icon: grid, admins: true },
    collections: { to: office.collections, name: "Collections", icon: gallery, admins: true },
    sources: { to: office.sources, name: "Sellers", icon: plug, admins: true },
  },
  Posts: {
    queue: { to: office.queue, name: "Queue", icon: clock },
    channels: { to: office.channels, name: "Channels", icon: send, admins: true },
    outgoing: { to: office.outgoing, name: "Outbox", icon: inbox, admins: true },
  },
  "Running the shop": {
    settings: { to: office.settings, name: "Settings", icon: settings, admins: true },
    people: { to: office.people, name: "People", icon: users, admins: true },
    activity: { to: office.activity, name: "Activity", icon: activity },
    keys: { to: office.keys, name: "API keys", icon: key, admins: true },
    webhooks: { to: office.webhooks, name: "Webhooks", icon: webhook, admins: true },
  },
} satisfies Record<string, Record<string, Place>>;

/** Screens of the office in the order of the navigation. */
export const PLACES = {
  ...GROUPED["Daily work"],
  ...GROUPED["Add deals"],
  ...GROUPED.Shop,
  ...GROUPED.Posts,
  ...GROUPED["Running the shop"],
};

/** Lists of the navigation by their headings. */
export const GROUPS = Object.entries(GROUPED).map(
  ([name, places]) => [name, Object.values<Place>(places)] as const,
);

/** Returns the places that an account sees. */
export function placesOf(
  { isAdmin }: { isAdmin: boolean },
  places: Place[] = Object.values(PLACES),
): Place[] {
  return places.filter(({ admins }) => isAdmin || !admins);
}

/** Returns the name of the screen at a path, or of the office. */
export function titleOf(pathname: string): string {
  return Object.values(PLACES).find(({ to }) => to === pathname)?.name ?? "Office";
}
