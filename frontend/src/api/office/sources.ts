import { useSWRConfig } from "swr";
import { request } from "../client";
import type { SourceRules, Sources } from "../types";
import { useCall } from "../use-call";

const SOURCES = "/settings/sources";

export function useSources() {
  return useCall<Sources>(SOURCES, "The sellers could not be loaded", { revalidateOnFocus: false });
}

/** Changes the rules of a seller; answers 409 if the settings are no longer of `version`. */
export function useSourceChanges() {
  const { mutate } = useSWRConfig();
  return async (version: number, source: string, rules: Partial<SourceRules>) => {
    await request<unknown>("/settings", "The rules could not be saved", {
      method: "PUT",
      body: { version, [`source.${source}`]: rules },
    });
    await mutate((key) => typeof key === "string" && (key === SOURCES || key.startsWith("/report/")));
  };
}
