import { useSWRConfig } from "swr";
import { request } from "../client";
import type { OwnShop, SourceRules, Sources } from "../types";
import { useCall } from "../use-call";

const SOURCES = "/settings/sources";

export function useSources() {
  return useCall<Sources>(SOURCES, "The sellers could not be loaded", { revalidateOnFocus: false });
}

/** Changes the rules of a seller, or the owner's shops; answers 409 if the settings are no longer of `version`. */
export function useSourceChanges() {
  const { mutate } = useSWRConfig();
  const save = async (failure: string, body: Record<string, unknown>) => {
    await request<unknown>("/settings", failure, { method: "PUT", body });
    await mutate((key) => typeof key === "string" && (key === SOURCES || key.startsWith("/report/")));
  };
  return {
    rules: (version: number, source: string, rules: Partial<SourceRules>) =>
      save("The rules could not be saved", { version, [`source.${source}`]: rules }),
    /** Replaces the shops that the owner added. */
    shops: (version: number, shops: OwnShop[]) => save("The shop could not be saved", { version, shops }),
  };
}
