import type { WebhookEvent } from "../../api/types";

/** Events in words, in the order of the form. */
export const EVENTS: { event: WebhookEvent; words: string }[] = [
  { event: "product.added", words: "A product is shown to visitors" },
  { event: "product.changed", words: "A shown product changes" },
  { event: "product.ended", words: "A product ends or is deleted" },
  { event: "backup.failed", words: "A scheduled backup fails" },
];
