import useSWR, { useSWRConfig } from "swr";
import useSWRImmutable from "swr/immutable";
import { ApiError, request } from "../client";
import type { FilePreview, ImportReport, Mapping, MappingNames } from "../types";

/** How a file is read; empty texts leave it to the server. */
export interface FileChoice {
  format: string;
  source: string;
  category: string;
  /** Name of a saved mapping or of a format. */
  mapping: string;
  /** `true` to add categories that are unknown. */
  createCategories: string;
}

export const AUTOMATIC: FileChoice = {
  format: "",
  source: "",
  category: "",
  mapping: "",
  createCategories: "",
};

const FAILURE = "failed to read the file please try again later";
const MAPPINGS = "/product/mappings";

function query(choice: FileChoice, more: Record<string, string> = {}): string {
  const given = Object.entries({ ...choice, ...more }).filter(([, value]) => value !== "");
  return new URLSearchParams(given).toString();
}

/** A mapping that is not saved is sent with the file. */
function form(file: File, mapping: Mapping | undefined): FormData {
  const data = new FormData();
  if (mapping) {
    data.append("mapping", JSON.stringify(mapping));
  }
  data.append("file", file);
  return data;
}

type PreviewKey = readonly [path: string, file: File, choice: FileChoice, mapping: Mapping | undefined];

const PREVIEW = "/product/import/preview";

/**
 * Returns what a file is and what its first rows would become; nothing for no file. With `keep`, the
 * preview before stays until the next one is there.
 */
export function useFilePreview(
  file: File | undefined,
  choice: FileChoice,
  mapping: Mapping | undefined,
  keep = false,
) {
  return useSWRImmutable<FilePreview, unknown, PreviewKey | null>(
    file ? [PREVIEW, file, choice, mapping] : null,
    ([path, file, choice, mapping]: PreviewKey) =>
      request<FilePreview>(`${path}?${query(choice)}`, FAILURE, {
        method: "POST",
        body: form(file, mapping),
      }),
    {
      keepPreviousData: keep,
      // The server lets a few previews of an account wait, and refuses more for the moment.
      shouldRetryOnError: (error) => error instanceof ApiError && error.busy,
      errorRetryInterval: 1_000,
      errorRetryCount: 8,
    },
  );
}

/** Says what an import would change. */
export function rehearseImport(file: File, choice: FileChoice, mapping?: Mapping): Promise<ImportReport> {
  const path = `/product/import?${query(choice, { dryRun: "true", skipInvalid: "true" })}`;
  return request<ImportReport>(path, FAILURE, { method: "POST", body: form(file, mapping) });
}

/** Returns the path of a call that imports the valid rows, and its body. */
export function importCall(file: File, choice: FileChoice, mapping?: Mapping) {
  return { path: `import?${query(choice, { skipInvalid: "true" })}`, body: form(file, mapping) };
}

/** Returns the refused rows as a CSV. */
export async function refusedRows(file: File, choice: FileChoice, mapping?: Mapping): Promise<Blob> {
  const path = `/product/import/refused?${query(choice)}`;
  const response = await fetch(path, { method: "POST", body: form(file, mapping) });
  if (!response.ok) {
    throw new ApiError(FAILURE, response.status);
  }
  return response.blob();
}

export function useMappings() {
  return useSWR<MappingNames>(MAPPINGS, (path: string) =>
    request<MappingNames>(path, "failed to load the column settings please try again later"),
  );
}

export function useMappingChanges() {
  const { mutate } = useSWRConfig();
  const change = async (name: string, method: "PUT" | "DELETE", failure: string, body?: Mapping) => {
    const path = `${MAPPINGS}/${encodeURIComponent(name)}`;
    await request<unknown>(path, failure, { method, ...(body ? { body } : {}) });
    // Previews by a mapping that was replaced are none of it any more.
    await mutate((key) => Array.isArray(key) && key[0] === PREVIEW && key[2]?.mapping === name, undefined, {
      revalidate: false,
    });
    await mutate(MAPPINGS);
  };
  return {
    save: (name: string, mapping: Mapping) =>
      change(name, "PUT", "failed to save the column settings please try again later", mapping),
    remove: (name: string) =>
      change(name, "DELETE", "failed to delete the column settings please try again later"),
  };
}
