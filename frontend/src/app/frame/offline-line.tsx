// Mirrored by src/http/pages/layout.rs
import { useSyncExternalStore } from "react";

/** Says that there is no network, and how old what is shown is. */
export function OfflineLine() {
  const line = useSyncExternalStore(subscribe, current, () => "");
  return (
    <div role="status">{line && <p className="bg-raised py-1 text-center text-xs text-ink-2">{line}</p>}</div>
  );
}

/** What the service worker says of the copies that it answered with; nothing while the network does. */
let ofCopies = "";

function current(): string {
  return ofCopies || (navigator.onLine ? "" : "You are offline. What is already loaded stays here.");
}

function subscribe(changed: () => void): () => void {
  const worker = navigator.serviceWorker;
  const told = ({ data }: MessageEvent<string>) => {
    ofCopies = data;
    changed();
  };
  const stop = new AbortController();
  for (const [target, type, listener] of [
    [window, "online", changed],
    [window, "offline", changed],
    [worker, "message", told],
  ] as const) {
    target?.addEventListener(type, listener as EventListener, stop);
  }
  worker?.startMessages();
  // It answers, and takes this page if it has not yet.
  void worker?.ready.then(({ active }) => active?.postMessage(""));
  return () => stop.abort();
}
