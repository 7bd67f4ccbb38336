import type { State } from "swr";
import type { PageData } from "../page-data";
import type { Product } from "../types";
import { DETAILS, LIST } from "./query";

/** Returns an SWR cache with the answers that came with the page, in the shape of the hooks. */
export function initialCache({ answers }: PageData): Map<string, State> {
  return new Map(
    Object.entries(answers).map(([key, answer]) => {
      if (key.startsWith(DETAILS)) {
        return [key, { data: (answer as { product: Product | null }).product }];
      }
      if (key.startsWith(LIST)) {
        return [key, { data: { ...(answer as object), key } }];
      }
      return [key, { data: answer }];
    }),
  );
}
