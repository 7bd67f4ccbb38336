/** Milliseconds after which what was fetched ahead is fetched anew. */
const KEPT = 15_000;

const ahead = new Map<string, { answer: Promise<unknown>; until: number }>();

/** Fetches ahead of need, once, and not for visitors who want to save data. */
export function prefetch(key: string, fetcher: (key: string) => Promise<unknown>): void {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
  const kept = ahead.get(key);
  if (connection?.saveData || (kept && performance.now() < kept.until)) {
    return;
  }
  for (const [other, { until }] of ahead) {
    if (performance.now() >= until) {
      ahead.delete(other);
    }
  }
  const answer = fetcher(key);
  ahead.set(key, { answer, until: performance.now() + KEPT });
  // What fails is asked for again when it is needed, and told then.
  answer.catch(() => ahead.delete(key));
}

/** What was fetched ahead, for its first user; else asks for it. */
export function fetched<T>(key: string, fetcher: (key: string) => Promise<T>): Promise<T> {
  const kept = ahead.get(key);
  ahead.delete(key);
  return kept && performance.now() < kept.until ? (kept.answer as Promise<T>) : fetcher(key);
}

/** Forgets everything that was fetched ahead: something has changed since. */
export function forgetAhead(): void {
  ahead.clear();
}
