/** Screens that the server renders, whose code is loaded where they are shown. */
export { FollowPage } from "./follow-page";
export { SubscriptionsPage } from "./subscriptions-page";
