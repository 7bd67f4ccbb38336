import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// A busy machine may be slow; what is waited for comes or never does.
configure({ asyncUtilTimeout: 10_000 });

// jsdom has neither; the toast and the gallery call them.
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.scrollTo ??= () => undefined;
window.scrollTo = () => undefined;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  delete document.documentElement.dataset.theme;
});

// The code input watches its size and looks at what is under a point.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
document.elementFromPoint ??= () => null;
