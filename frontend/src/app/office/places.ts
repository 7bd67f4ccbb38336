import activity from "icon:activity";
import swap from "icon:arrow-up-down";
import bookmark from "icon:bookmark-plus";
import clock from "icon:calendar-clock";
import chart from "icon:chart-column";
import gallery from "icon:gallery-horizontal-end";
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

const DAILY = {
  overview: { to: paths.admin, name: "Today", icon: overview },
  products: { to: office.products, name: "Products", icon: tag },
  capture: { to: office.capture, name: "Capture", icon: bookmark },
  sources: { to: office.sources, name: "Sellers", icon: plug, admins: true },
  categories: { to: office.categories, name: "Categories", icon: grid, admins: true },
  frontPage: { to: office.frontPage, name: "Front page", icon: front, admins: true },
  collections: { to: office.collections, name: "Collections", icon: gallery, admins: true },
  queue: { to: office.queue, name: "Queue", icon: clock },
  channels: { to: office.channels, name: "Channels", icon: send, admins: true },
  reports: { to: office.reports, name: "Reports", icon: chart },
  files: { to: office.files, name: "Import and export", icon: swap },
} satisfies Record<string, Place>;

const RUNNING = {
  people: { to: office.people, name: "People", icon: users, admins: true },
  keys: { to: office.keys, name: "API keys", icon: key, admins: true },
  webhooks: { to: office.webhooks, name: "Webhooks", icon: webhook, admins: true },
  outgoing: { to: office.outgoing, name: "Outgoing", icon: send, admins: true },
  activity: { to: office.activity, name: "Activity", icon: activity },
  settings: { to: office.settings, name: "Settings", icon: settings, admins: true },
} satisfies Record<string, Place>;

/** Screens of the office in the order of the navigation. */
export const PLACES = { ...DAILY, ...RUNNING };

/** Lists of the navigation by their names. */
export const GROUPS: Record<string, Place[]> = {
  "Daily work": Object.values(DAILY),
  "Running the shop": Object.values(RUNNING),
};

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
