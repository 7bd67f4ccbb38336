import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// Long, because the machine may be busy.
configure({ asyncUtilTimeout: 60_000 });

// Tests that render pages as a server does have no document.
if (typeof document !== "undefined") {
  // jsdom lacks these; the toast, the gallery, the code input, pictures, dialogs and the forms' questions call them.
  Element.prototype.hasPointerCapture ??= () => false;
  Element.prototype.scrollTo ??= () => undefined;
  Element.prototype.scrollIntoView ??= () => undefined;
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false;
  };
  HTMLImageElement.prototype.decode ??= () => Promise.reject(new Error("jsdom decodes no pictures"));
  window.scrollTo = () => undefined;
  document.elementFromPoint ??= () => null;

  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    localStorage.clear();
    sessionStorage.clear();
    delete document.documentElement.dataset.theme;
  });
}

// The code input observes its size.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
