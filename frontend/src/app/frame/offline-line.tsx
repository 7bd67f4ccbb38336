import { useSyncExternalStore } from "react";
import { offline } from "../../texts/en.json";

/** Shows that the network is down, and the age of the copy on screen. */
export function OfflineLine() {
  const line = useSyncExternalStore(subscribe, current, () => "");
  return (
    <div role="status">{line && <p className="bg-raised py-1 text-center text-xs text-ink-2">{line}</p>}</div>
  );
}

/** The service worker's message about the age of its copies; empty while the network answers. */
let ofCopies = "";

function current(): string {
  return ofCopies || (navigator.onLine ? "" : offline);
}

function subscribe(changed: () => void): () => void {
  const worker = navigator.serviceWorker;
  const onMessage = ({ data }: MessageEvent<string>) => {
    ofCopies = data;
    changed();
  };
  const stop = new AbortController();
  for (const [target, type, listener] of [
    [window, "online", changed],
    [window, "offline", changed],
    [worker, "message", onMessage],
  ] as const) {
    target?.addEventListener(type, listener as EventListener, stop);
  }
  worker?.startMessages();
  // The worker answers, and claims this page if it has not yet.
  void worker?.ready.then(({ active }) => active?.postMessage(""));
  return () => stop.abort();
}
