import { act, render, waitFor } from "@testing-library/react";
import { MemoryRouter, type NavigateFunction, useNavigate } from "react-router-dom";
import { beforeEach, expect, it, vi } from "vitest";
import { useHeadOnNavigation } from "./use-head-on-navigation";

/** The page of an address, as the server writes it. */
const page = (address: string, robots = "") =>
  `<html><head><meta name="viewport" content="x"><title>T</title><link rel="canonical" href="${address}">${robots}` +
  `<meta property="og:url" content="${address}"><script type="application/ld+json">{"url":"${address}"}</script>` +
  `</head><body><meta property="og:url" content="of a body"></body></html>`;

let asked: { address: string; signal: AbortSignal; answer: (text: string, status?: number) => void }[] = [];
let navigate: NavigateFunction;

function Inside() {
  useHeadOnNavigation();
  navigate = useNavigate();
  return null;
}

const managed = () =>
  [...document.head.querySelectorAll("link, meta, script")].map(
    (element) => element.getAttribute("href") ?? element.getAttribute("content") ?? element.textContent,
  );
const KEPT = ["width=device-width", "/manifest.webmanifest"];
const of = (address: string) => [...KEPT, address, address, `{"url":"${address}"}`];

const go = (to: string) => act(async () => navigate(to));

beforeEach(() => {
  asked = [];
  vi.stubGlobal(
    "fetch",
    (address: string, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        asked.push({
          address,
          signal,
          answer: (text, status = 200) => resolve(new Response(text, { status })),
        });
      }),
  );
  document.head.innerHTML =
    '<meta name="viewport" content="width=device-width"><link rel="manifest" href="/manifest.webmanifest">' +
    '<link rel="canonical" href="/"><meta property="og:url" content="/">' +
    '<script type="application/ld+json">{"url":"/"}</script>';
  render(
    <MemoryRouter initialEntries={["/"]} useTransitions={false}>
      <Inside />
    </MemoryRouter>,
  );
});

it("leaves the head of the first page, and of a move within it, alone", async () => {
  await go("/#search");
  expect(managed()).toEqual(of("/"));
  expect(asked).toEqual([]);
});

it("replaces the head of the former page with that of the server", async () => {
  await go("/?category=Books&page=2");
  expect(managed()).toEqual(KEPT);
  expect(asked.map(({ address }) => address)).toEqual(["/?category=Books&page=2"]);
  asked[0]?.answer(page("/?category=Books&page=2"));
  await waitFor(() => expect(managed()).toEqual(of("/?category=Books&page=2")));
});

it("shows the head of a page that is gone", async () => {
  await go("/details/gone");
  asked[0]?.answer('<html><head><meta name="robots" content="noindex"></head></html>', 404);
  await waitFor(() => expect(managed()).toEqual([...KEPT, "noindex"]));
});

it("ignores the head of a screen that was left", async () => {
  await go("/details/one");
  await go("/details/two");
  expect(asked[0]?.signal.aborted).toBe(true);
  asked[1]?.answer(page("/details/two"));
  await waitFor(() => expect(managed()).toEqual(of("/details/two")));
  await go("/");
  expect(managed()).toEqual(KEPT);
});

it("requests no head on screens of accounts and of the office", async () => {
  for (const path of ["/login", "/saved", "/admin/products"]) {
    await go(path);
    expect(managed()).toEqual(KEPT);
  }
  expect(asked).toEqual([]);
});

it("requests no head with Save-Data", async () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  await go("/details/one");
  expect(managed()).toEqual(KEPT);
  expect(asked).toEqual([]);
});
