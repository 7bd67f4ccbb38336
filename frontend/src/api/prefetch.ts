/** Milliseconds for which a prefetched answer may be used. */
const FRESH_FOR = 15_000;

const prefetched = new Map<string, { answer: Promise<unknown>; until: number }>();

/** Returns true if the visitor wants no more requests than needed. */
export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

/** Requests a path ahead of need, once, unless the visitor saves data. */
export function prefetch(path: string, fetcher: (path: string) => Promise<unknown>): void {
  const present = prefetched.get(path);
  if (savesData() || (present && performance.now() < present.until)) {
    return;
  }
  for (const [other, { until }] of prefetched) {
    if (performance.now() >= until) {
      prefetched.delete(other);
    }
  }
  const answer = fetcher(path);
  prefetched.set(path, { answer, until: performance.now() + FRESH_FOR });
  // A failure is reported by the request that is made when the data is needed.
  answer.catch(() => prefetched.delete(path));
}

/** Returns the prefetched answer once; requests it if there is none. */
export function takePrefetched<T>(path: string, fetcher: (path: string) => Promise<T>): Promise<T> {
  const present = prefetched.get(path);
  prefetched.delete(path);
  return present && performance.now() < present.until ? (present.answer as Promise<T>) : fetcher(path);
}

export function clearPrefetched(): void {
  prefetched.clear();
}
