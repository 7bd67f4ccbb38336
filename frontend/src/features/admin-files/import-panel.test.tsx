import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import type { FilePreview, ImportReport, Mapping } from "../../api/types";
import { aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const PRESET: Mapping = {
  fields: {
    title: { columns: ["title", "name"] },
    price: { columns: ["mrp"] },
    category: { columns: ["department"], table: { Toys: "Home" } },
  },
};

interface Sent {
  method: string;
  path: string;
  query: string;
  mapping?: Mapping;
}

function aSeller(source: string, products: number, tag: string) {
  return { source, products, tag, chosen: true, advice: null, forbidden: [], offers: 0, rules: {} };
}

/** Opens the screen at a server that knows a file with these columns, and keeps what is sent. */
async function openFiles(saved: string[] = [], changed = (preview: FilePreview) => preview) {
  localStorage.setItem("token", "a-token");
  const sent: Sent[] = [];
  const names = [...saved];
  const refuses = { mapping: "", busy: 0 };
  fakeServer((url, init) => {
    const method = init.method ?? "GET";
    const given = init.body instanceof FormData ? init.body.get("mapping") : init.body;
    const mapping: Mapping | undefined = typeof given === "string" ? JSON.parse(given) : undefined;
    if (method !== "GET") {
      sent.push({ method, path: url.pathname, query: url.search, ...(mapping && { mapping }) });
    }
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/product/import/preview") {
      if (refuses.busy > 0) {
        refuses.busy -= 1;
        return { status: 503, body: { error: "The shop is busy." } };
      }
      return refuses.mapping !== "" && mapping
        ? { status: 400, body: { error: refuses.mapping } }
        : { body: changed(aPreview(mapping ?? PRESET, url.searchParams)) };
    }
    if (url.pathname === "/product/import") {
      return { body: aReport() };
    }
    if (url.pathname === "/settings/sources") {
      return {
        body: { data: [aSeller("Amazon", 1744, ""), aSeller("Croma", 6, "mine")], shops: [], version: 1 },
      };
    }
    if (url.pathname === "/report/needs") {
      return { body: { data: [{ key: "price", products: 3, events: [] }] } };
    }
    if (url.pathname === "/product/mappings") {
      return { body: { presets: ["csv", "shopify"], saved: names } };
    }
    const name = /^\/product\/mappings\/(.+)$/.exec(url.pathname)?.[1];
    if (name !== undefined) {
      if (method === "DELETE") {
        names.splice(names.indexOf(name), 1);
      } else {
        names.push(name);
      }
      return { body: {} };
    }
    return { body: {} };
  });
  const app = renderApp("/admin/files");
  const field = await screen.findByLabelText(/^CSV, Excel/);
  const drop = () => app.user.upload(field, new File(["title\nTea"], "tea.csv", { type: "text/csv" }));
  const last = (path: string) => sent.filter((it) => it.path === path).at(-1);
  return { ...app, sent, drop, last, refuses };
}

function aReport(): ImportReport {
  return { added: 1, updated: 0, unchanged: 0, replaced: 0, skipped: 1, problems: [], moreProblems: 0 };
}

function aPreview(mapping: Mapping, query: URLSearchParams): FilePreview {
  const uses = (column: string) =>
    Object.entries(mapping.fields).flatMap(([name, rule]) =>
      rule.columns?.some((it) => it.toLowerCase() === column.toLowerCase()) ? [name] : [],
    );
  const columns = ["Title", "MRP", "Department", "Heading"].map((name) => {
    const fields = uses(name);
    return { name, used: fields.length > 0, fields, first: `Tea by ${name.toLowerCase()}` };
  });
  const known = mapping.fields.category?.table?.["Hot drinks"] !== undefined;
  return {
    format: "csv",
    valid: 1,
    refused: 1,
    rows: [
      {
        row: 2,
        product: {
          title: mapping.fields.title?.columns?.includes("Heading") ? "By heading" : "By title",
          price: 499,
          finalPrice: 399,
          category: "Home",
          source: query.get("source") ?? "Tea shop",
          discount: 20,
          images: [],
        },
        problems: [],
      },
      { row: 3, product: null, problems: [{ field: "price", message: "“$5” is in dollars." }] },
    ],
    columns,
    sources: columns.flatMap(({ name, fields }) => fields.map((field) => ({ field, columns: [name] }))),
    missing: mapping.fields.affiliateLink ? [] : ["affiliateLink"],
    questions: [],
    reasons: [],
    newCategories: [],
    categories: known ? [] : [{ name: "Hot drinks", rows: 2 }],
    problems: [{ row: 3, field: "price", message: "“$5” is in dollars." }],
    moreProblems: 0,
    mapping,
  };
}

beforeEach(() => localStorage.clear());

/** Shows the fields of the columns that were recognized. */
async function showOthers(user: Awaited<ReturnType<typeof openFiles>>["user"]) {
  await user.click(await screen.findByText("Change the other columns"));
}

it("frames only doubtful fields, names the others in one line, and lists a problem once", async () => {
  const { drop } = await openFiles();
  await drop();
  expect(await screen.findByText(/^Recognized: /)).toHaveTextContent("Title from “Title”");
  expect(screen.getByRole("group", { name: /^Affiliate link/ })).toBeVisible();
  expect(screen.getByLabelText("Column of Title")).not.toBeVisible();
  const rows = within(screen.getByRole("region", { name: "How they will look" }));
  expect(rows.getAllByRole("listitem")).toHaveLength(1);
  expect(within(screen.getByRole("region", { name: "Problems" })).getAllByRole("listitem")).toHaveLength(1);
});

it("shows each field with its column, the first rows, problems and unused columns", async () => {
  const { user, drop } = await openFiles();
  await drop();
  await showOthers(user);
  expect(await screen.findByText(/^tea\.csv is a table \(CSV\) with 2 rows/)).toBeVisible();
  expect(screen.getByLabelText("Column of Title")).toHaveValue("Title");
  expect(screen.getByLabelText("Column of Price")).toHaveValue("MRP");
  expect(screen.getByLabelText("Column of Affiliate link")).toHaveValue("");
  const link = within(screen.getByRole("group", { name: /^Affiliate link/ }));
  expect(link.getByText("Choose a column, or a value for all rows under “More”.")).toBeVisible();
  expect(screen.getByText("Row 2: By title")).toBeVisible();
  expect(screen.getByText("Row 3: Price: “$5” is in dollars.")).toBeVisible();
  expect(screen.getByRole("region", { name: "Unused columns" })).toHaveTextContent("Heading");
  expect(screen.queryByRole("button", { name: /^Import/ })).toBeNull();
});

it("lists a problem of several rows once", async () => {
  const { drop } = await openFiles([], (preview) => ({
    ...preview,
    problems: [2, 3, 4, 6, 7].map((row) => ({ row, field: "title", message: "Title is required." })),
  }));
  await drop();
  const problems = within(await screen.findByRole("region", { name: "Problems" }));
  expect(problems.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "Rows 2, 3, 4 and 2 more: Title is required.",
  ]);
});

it("shows the first row's cells and problems in the cards while no row is valid", async () => {
  const { user, drop } = await openFiles([], (preview) => ({
    ...preview,
    valid: 0,
    refused: 2,
    rows: [{ row: 2, product: null, problems: [{ field: "price", message: "“$5” is in dollars." }] }],
  }));
  await drop();
  await showOthers(user);
  const card = async (name: RegExp) => within(await screen.findByRole("group", { name }));
  expect((await card(/^Title/)).getByText("Row 2: Tea by title")).toBeVisible();
  expect((await card(/^Price/)).getByText("Row 2: “$5” is in dollars.")).toBeVisible();
  await user.selectOptions(screen.getByLabelText("Column of Title"), "Heading");
  expect((await card(/^Title/)).getByText("Row 2: Tea by heading")).toBeVisible();
});

it("offers an example of a table until a file is chosen", async () => {
  const saved: Blob[] = [];
  URL.createObjectURL = (blob: Blob) => `blob:${saved.push(blob)}`;
  URL.revokeObjectURL = () => undefined;
  const { user, drop } = await openFiles();
  await user.click(screen.getByRole("button", { name: "Example file" }));
  expect(await saved[0]?.text()).toMatch(/^Title,Description,MRP,/);
  await drop();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Example file" })).toBeNull());
});

it("asks which column is the link, and imports by the answer", async () => {
  const { user, drop, last } = await openFiles([], (preview) => {
    const isOpen = preview.missing.length > 0;
    const questions = isOpen ? [{ field: "affiliateLink", columns: ["Title", "Heading"] }] : [];
    return { ...preview, missing: [], questions, dates: "dmy" };
  });
  await drop();
  expect(
    await screen.findByText("“Title” and “Heading” could each be the affiliate link: choose one below."),
  ).toBeVisible();
  expect(screen.getByText("Dates have the day first.")).toBeVisible();
  const link = within(screen.getByRole("group", { name: /^Affiliate link/ }));
  expect(link.getByText("Each of these columns could be the affiliate link. Choose one:")).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Import/ })).toBeNull();
  await user.click(link.getByRole("button", { name: "Heading Tea by heading" }));
  await user.click(await screen.findByRole("button", { name: "Import the valid rows" }));
  await screen.findByText("1 added, 0 changed");
  expect(last("/product/import")?.mapping?.fields.affiliateLink).toEqual({ columns: ["Heading"] });
});

it("says why a column was taken", async () => {
  const { drop } = await openFiles([], (preview) => ({
    ...preview,
    reasons: [{ field: "title", message: "its name says so" }],
  }));
  await drop();
  const title = within(await screen.findByRole("group", { name: /^Title/ }));
  expect(title.getByText("Taken because its name says so.")).toBeVisible();
});

it("always shows the fields for which rows are refused", async () => {
  const refused = (field: string) => ({ row: 3, field, message: "Refused." });
  const { user, drop } = await openFiles([], (preview) => {
    const changed = preview.mapping?.fields.title?.columns?.includes("Heading");
    return { ...preview, problems: [refused("totalRatings"), ...(changed ? [refused("endsAt")] : [])] };
  });
  await drop();
  expect(await screen.findByRole("group", { name: "Total ratings" })).toBeVisible();
  const ends = screen.getByLabelText("Column of Ends");
  expect(ends).not.toBeVisible();
  await user.selectOptions(screen.getByLabelText("Column of Title"), "Heading");
  await waitFor(() => expect(ends).toBeVisible());
});

it("shows the rows anew after another column is chosen, and imports by it", async () => {
  const { user, drop, last } = await openFiles();
  await drop();
  await showOthers(user);
  await user.selectOptions(await screen.findByLabelText("Column of Title"), "Heading");
  expect(await screen.findByText("Row 2: By heading")).toBeVisible();
  await user.selectOptions(screen.getByLabelText("Column of Affiliate link"), "Title");
  await user.click(await screen.findByRole("button", { name: "Try it first" }));
  expect(await screen.findByText(/^1 will be added/)).toBeVisible();
  expect(last("/product/import")).toMatchObject({ query: expect.stringContaining("dryRun=true") });
  await user.click(screen.getByRole("button", { name: "Import the valid rows" }));
  expect(await screen.findByText("1 deal is added, 1 row refused.")).toBeVisible();
  expect(screen.getByRole("link", { name: "See the new deals" })).toHaveAttribute("href", "/admin/products");
  const next = within(screen.getByRole("list", { name: "Next" }));
  expect(
    await next.findByText("1,744 deals of Amazon have no affiliate tag: you earn nothing by them."),
  ).toBeVisible();
  expect(next.queryByText(/Croma/)).toBeNull();
  expect(next.getByRole("link", { name: "Set your tags" })).toHaveAttribute("href", "/admin/sources");
  expect(await next.findByRole("link", { name: "Check prices" })).toHaveAttribute(
    "href",
    "/admin/products?needs=old-price&sortBy=clicks",
  );
  expect(screen.getByRole("button", { name: "Download rows with errors" })).toBeEnabled();
  expect(last("/product/import")?.mapping).toEqual({
    fields: { ...PRESET.fields, title: { columns: ["Heading"] }, affiliateLink: { columns: ["Title"] } },
  });
});

it("keeps mapping changes when seller, category and mapping are chosen", async () => {
  const { user, drop, last } = await openFiles(["toys"]);
  await drop();
  await user.selectOptions(await screen.findByLabelText("Column of Title"), "Heading");
  await user.type(screen.getByLabelText("Seller if it has none"), "Croma{Enter}");
  await user.selectOptions(screen.getByLabelText("Category if it has none"), "Home");
  await waitFor(() =>
    expect(last("/product/import/preview")).toMatchObject({
      query: "?source=Croma&category=Home",
      mapping: { fields: { title: { columns: ["Heading"] } } },
    }),
  );
  await user.selectOptions(screen.getByLabelText("Column settings"), "toys");
  await waitFor(() => expect(screen.getByLabelText("Column of Title")).toHaveValue("Title"));
  await user.selectOptions(screen.getByLabelText("Column settings"), "");
  await waitFor(() => expect(screen.getByLabelText("Column of Title")).toHaveValue("Heading"));
});

it("names a mistake beside its field, imports nothing by it, and keeps it to be corrected", async () => {
  const { user, drop, sent } = await openFiles();
  await drop();
  await user.selectOptions(await screen.findByLabelText("Column of Affiliate link"), "Title");
  await screen.findByRole("button", { name: "Try it first" });
  await user.click(screen.getByText("More about Affiliate link"));
  const prefix = screen.getByLabelText("Text before each link");
  await user.type(prefix, "go.example/?url=");
  await user.tab();
  expect(await screen.findByText("Begin it with https://, as the browser shows it.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Import the valid rows" })).toBeDisabled();
  expect(screen.getByRole("button", { name: "Try it first" })).toBeDisabled();
  expect(sent.every(({ mapping }) => mapping?.fields.affiliateLink?.prefix === undefined)).toBe(true);
  expect(prefix).toHaveValue("go.example/?url=");
  await user.clear(prefix);
  await user.type(prefix, "https://go.example/?url=");
  await waitFor(() => expect(screen.getByRole("button", { name: "Try it first" })).toBeEnabled());
});

it("keeps the form and the rows when the server refuses a mapping", async () => {
  const { user, drop, refuses } = await openFiles();
  await drop();
  await showOthers(user);
  refuses.mapping = "Two columns are called Heading: rename one.";
  await user.selectOptions(await screen.findByLabelText("Column of Title"), "Heading");
  expect(await screen.findByText(refuses.mapping)).toBeVisible();
  expect(screen.getByLabelText("Column of Title")).toHaveValue("Heading");
  expect(screen.getByText("Row 2: By title")).toBeVisible();
});

it("gives categories counterparts, and changes them again", async () => {
  const { user, drop, last } = await openFiles();
  await drop();
  await user.selectOptions(await screen.findByLabelText(/^Hot drinks/), "Home");
  await user.click(screen.getByRole("button", { name: "Use these" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Use these" })).toBeNull());
  await user.click(screen.getByText("More about Category"));
  await user.click(screen.getByText("2 names of categories"));
  await user.selectOptions(screen.getByLabelText("Hot drinks"), "Books");
  await waitFor(() =>
    expect(last("/product/import/preview")?.mapping?.fields.category?.table).toEqual({
      Toys: "Home",
      "Hot drinks": "Books",
    }),
  );
});

it("creates an unknown category, or leaves its rows out", async () => {
  const { user, drop, last } = await openFiles();
  await drop();
  const table = () => last("/product/import/preview")?.mapping?.fields.category?.table;
  await user.selectOptions(await screen.findByLabelText(/^Hot drinks/), "Create “Hot drinks”");
  await user.click(screen.getByRole("button", { name: "Use these" }));
  await waitFor(() => expect(table()).toEqual({ Toys: "Home", "Hot drinks": "+Hot drinks" }));
  await user.click(screen.getByText("More about Category"));
  await user.click(screen.getByText("2 names of categories"));
  expect(screen.getByLabelText("Hot drinks")).toHaveDisplayValue("Create “Hot drinks”");
  await user.selectOptions(screen.getByLabelText("Hot drinks"), "");
  await waitFor(() => expect(table()).toEqual({ Toys: "Home", "Hot drinks": null }));
  await user.selectOptions(screen.getByLabelText("Unknown categories"), "Create them");
  await waitFor(() => expect(last("/product/import/preview")?.query).toContain("createCategories=true"));
});

it("copies a format's mapping, saves it by name, and goes on after it is deleted", async () => {
  const { user, drop, last } = await openFiles();
  await drop();
  await user.selectOptions(await screen.findByLabelText("Column settings"), "shopify");
  await user.selectOptions(await screen.findByLabelText("Column of Title"), "Heading");
  const name = screen.getByLabelText("Name");
  await user.type(name, "shopify{Enter}");
  expect(await screen.findByText("This is the name of a format: choose another.")).toBeVisible();
  await user.clear(name);
  await user.type(name, "teas{Enter}");
  await waitFor(() => expect(screen.getByLabelText("Column settings")).toHaveValue("teas"));
  expect(last("/product/mappings/teas")).toMatchObject({
    method: "PUT",
    mapping: { fields: { title: { columns: ["Heading"] } } },
  });
  await user.click(await screen.findByRole("button", { name: "Delete the column settings teas" }));
  await waitFor(() => expect(screen.getByLabelText("Column settings")).toHaveValue(""));
  expect(last("/product/mappings/teas")?.method).toBe("DELETE");
});

it("asks again for a preview that the busy server refused", async () => {
  const { drop, refuses, sent } = await openFiles();
  refuses.busy = 1;
  await drop();
  await screen.findByText("The shop is busy.");
  await screen.findByText(/tea\.csv is a table/, undefined, { timeout: 20_000 });
  expect(screen.queryByText("The shop is busy.")).toBeNull();
  expect(sent.filter(({ path }) => path === "/product/import/preview")).toHaveLength(2);
});
