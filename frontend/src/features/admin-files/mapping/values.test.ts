import { expect, it } from "vitest";
import type { FilePreview, Mapping } from "../../../api/types";
import { mappingSchema } from "./schema";
import { type MappingValues, mappingOf, type RuleValues, valuesOf, withCounterparts } from "./values";

const MAPPING: Mapping = {
  path: "data.items",
  fields: {
    _id: { columns: ["_id"] },
    title: { columns: ["title", "name", "product"] },
    price: { columns: ["mrp", "price"] },
    finalPrice: { columns: ["sale price", "price"], spare: true },
    category: { columns: ["department"], table: { Toys: "Home", "Men's [1.5]": "Clothing" } },
    images: { columns: ["image", "image 2"], split: "|" },
    endsAt: { columns: ["ends"], as: "until", order: "mdy" },
    status: { columns: ["state"], table: { old: "draft" }, onlyTable: true },
  },
};
const FILE: Pick<FilePreview, "sources" | "questions"> = {
  sources: [
    { field: "title", columns: ["Name"] },
    { field: "price", columns: ["MRP (₹)"] },
    { field: "images", columns: ["Image", "Image 2"] },
  ],
  questions: [],
};

function changed(field: string, change: Partial<RuleValues>): Mapping {
  const before = valuesOf(MAPPING, FILE);
  const rule = before[field];
  const values: MappingValues = rule ? { ...before, [field]: { ...rule, ...change } } : before;
  return mappingOf(values, before, MAPPING);
}

it("shows the columns of a file that each field uses", () => {
  const values = valuesOf(MAPPING, FILE);
  expect(values.title?.columns).toEqual(["Name"]);
  expect(values.images?.columns).toEqual(["Image", "Image 2"]);
  expect(values.offers?.columns).toEqual([""]);
  expect(values.endsAt).toMatchObject({ as: "until", order: "mdy" });
  expect(values.description?.as).toBe("html");
});

it("leaves a mapping as it is when nothing was changed, or changed back", () => {
  expect(changed("title", {})).toEqual(MAPPING);
  expect(changed("price", { columns: ["MRP (₹)"] })).toEqual(MAPPING);
});

it("changes one field and keeps what the form does not show", () => {
  const { title, ...others } = changed("title", { columns: ["Note", "", "Name"], as: "html" }).fields;
  expect(title).toEqual({ columns: ["Note", "Name"], as: "html" });
  const { title: _, ...before } = MAPPING.fields;
  expect(others).toEqual(before);
  expect(changed("finalPrice", { columns: ["Note"] }).fields.finalPrice).toEqual({ columns: ["Note"] });
  expect(changed("images", { columns: ["Image"] }).fields.images).toEqual({ columns: ["Image"], split: "|" });
  expect(changed("status", { constant: "draft" }).fields.status).toEqual({
    columns: ["state"],
    table: { old: "draft" },
    onlyTable: true,
    constant: "draft",
  });
});

it("has an option for a column that has to be chosen", () => {
  const questions = [{ field: "title", columns: ["Name", "Note"] }];
  const before = valuesOf(MAPPING, { ...FILE, questions });
  const answer = (columns: string[]) => {
    const title = { ...(before.title as RuleValues), columns };
    return mappingOf({ ...before, title }, before, MAPPING).fields.title;
  };
  expect(before.title?.columns).toEqual([""]);
  expect(answer([""])).toEqual(MAPPING.fields.title);
  expect(answer(["Name"])).toEqual({ columns: ["Name"] });
});

it("has either order of day and month, or that of the file", () => {
  expect(changed("endsAt", { order: "dmy" }).fields.endsAt).toMatchObject({ order: "dmy" });
  expect(changed("endsAt", { order: "" }).fields.endsAt).not.toHaveProperty("order");
});

it("keeps the columns of other files when only a constant is added, and drops an empty rule", () => {
  expect(changed("price", { constant: "399" }).fields.price).toEqual({
    columns: ["mrp", "price"],
    constant: "399",
  });
  expect(changed("price", { columns: [""] }).fields).not.toHaveProperty("price");
  expect(changed("offers", { constant: "[]" }).fields.offers).toEqual({ constant: "[]" });
});

it("changes counterparts of categories by any name", () => {
  const table = withCounterparts(valuesOf(MAPPING, FILE).category?.table ?? [], {
    Toys: "Books",
    "Hot drinks": "Home",
  });
  expect(changed("category", { table }).fields.category?.table).toEqual({
    "Men's [1.5]": "Clothing",
    Toys: "Books",
    "Hot drinks": "Home",
  });
});

it("explains an invalid mapping value", async () => {
  const errors = async (field: string, change: Partial<RuleValues>) => {
    const before = valuesOf(MAPPING, FILE);
    const values = { ...before, [field]: { ...before[field], ...change } };
    return mappingSchema.validate(values).then(
      () => [],
      ({ errors }: { errors: string[] }) => errors,
    );
  };
  expect(await errors("affiliateLink", { prefix: "go.example/?url=" })).toEqual([
    "Begin it with https://, as the browser shows it.",
  ]);
  expect(await errors("affiliateLink", { prefix: "https://go.example/?url=" })).toEqual([]);
  expect(await errors("price", { constant: "free" })).toEqual([
    "Write a number in digits, like 399 or 1,29,900.",
  ]);
  expect(await errors("endsAt", { constant: "soon" })).toEqual([
    "Write a date, like 31/12/2026 or 2026-12-31.",
  ]);
  expect(await errors("title", { constant: "Any" })).toEqual([]);
});
