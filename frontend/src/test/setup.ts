import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// A busy machine may be slow; what is waited for comes or never does.
configure({ asyncUtilTimeout: 60_000 });

// Pages are compared where there is no document, as on a server.
if (typeof document !== "undefined") {
  // jsdom has none of these; the toast, the gallery and the code input call them.
  Element.prototype.hasPointerCapture ??= () => false;
  Element.prototype.scrollTo ??= () => undefined;
  window.scrollTo = () => undefined;
  document.elementFromPoint ??= () => null;

  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    localStorage.clear();
    delete document.documentElement.dataset.theme;
  });
}

// The code input watches its size.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
