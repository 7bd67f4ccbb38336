import { useSyncExternalStore } from "react";

/** Says that the network is gone; what is loaded stays readable. */
export function OfflineLine() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {!online && (
        <p className="bg-raised py-1 text-center text-xs text-ink-2">
          You are offline. What is already loaded stays here.
        </p>
      )}
    </div>
  );
}

function subscribe(changed: () => void): () => void {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}
