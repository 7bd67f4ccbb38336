import { createContext, type ReactNode, useContext } from "react";

// Stands in for `swr` in the server's bundle: reads the answers that came with the page.

type Cache = ReadonlyMap<string, { data?: unknown }>;

const CacheContext = createContext<Cache>(new Map());

interface ConfigProps {
  value: { provider: () => Cache };
  children: ReactNode;
}

export function SWRConfig({ value, children }: ConfigProps) {
  return <CacheContext value={value.provider()}>{children}</CacheContext>;
}

function mutate(): never {
  throw new Error("the server's pages change no answer");
}

export function useSWRConfig() {
  return { cache: useContext(CacheContext), mutate };
}

/** Returns the answer of a call; nothing for none. Without an answer, the page would wait for ever. */
export default function useSWR(key: unknown) {
  const cache = useContext(CacheContext);
  const answer = typeof key === "string" ? cache.get(key) : undefined;
  if (key !== null && answer === undefined) {
    throw new Error(`the page's data has no answer of ${String(key)}`);
  }
  return { data: answer?.data, error: undefined, isLoading: false, isValidating: false, mutate };
}
