import type { WebhookEvent } from "../../api/types";

/** Events in words, in the order of the form. */
export const EVENTS: { value: WebhookEvent; words: string }[] = [
  { value: "product.added", words: "A product is shown to visitors" },
  { value: "product.changed", words: "A shown product changes" },
  { value: "product.ended", words: "A product ends or is deleted" },
  { value: "backup.failed", words: "A scheduled backup fails" },
];
