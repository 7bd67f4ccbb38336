import { useSWRConfig } from "swr";
import { request } from "../client";
import { expireCatalogue } from "../products/changes";
import type { OwnShop, RenamedSeller, SellerOfferInput, SellerOffers, SourceRules, Sources } from "../types";
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
    /** Gives a seller another name, or merges it into the seller of that name. */
    rename: async (source: string, name: string) => {
      const renamed = await request<RenamedSeller>(
        `/source/${encodeURIComponent(source)}/name`,
        "The name could not be saved",
        {
          method: "PUT",
          body: { name },
        },
      );
      expireCatalogue();
      await mutate(SOURCES);
      return renamed;
    },
    /** Replaces the shops that the owner added. */
    shops: (version: number, shops: OwnShop[]) => save("The shop could not be saved", { version, shops }),
  };
}

function offersOf(source: string): string {
  return `/source/${encodeURIComponent(source)}/offers`;
}

export function useSellerOffers(source: string) {
  return useCall<SellerOffers>(offersOf(source), "The offers could not be loaded");
}

/** Changes of a seller's offers. */
export function useSellerOfferChanges(source: string) {
  const { mutate } = useSWRConfig();
  const send = async (
    method: "POST" | "PUT" | "DELETE",
    id: string | undefined,
    failure: string,
    body?: SellerOfferInput,
  ) => {
    const path = offersOf(source);
    const answer = await request<SellerOffers>(id === undefined ? path : `${path}/${id}`, failure, {
      method,
      ...(body && { body }),
    });
    expireCatalogue();
    await mutate(path, answer, { revalidate: false });
    await mutate(SOURCES);
  };
  return {
    /** Replaces the offer with this id, or adds one. */
    save: (id: string | undefined, offer: SellerOfferInput) =>
      send(id === undefined ? "POST" : "PUT", id, "The offer was not saved", offer),
    remove: (id: string) => send("DELETE", id, "The offer was not deleted"),
  };
}
