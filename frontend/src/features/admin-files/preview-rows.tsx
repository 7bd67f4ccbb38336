import { useState } from "react";
import type { FilePreview } from "../../api/types";
import { percent, rupees } from "../../lib/rupees";
import { ProductPicture } from "../../product/product-picture";
import { Button } from "../../ui/button";
import { Block } from "../../ui/office-screen";

type Row = FilePreview["rows"][number];

function text(row: Row, field: string): string {
  const value = row.product?.[field];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function price(row: Row): string {
  const value = row.product?.finalPrice;
  return typeof value === "number" ? rupees(value) : "";
}

function picture(row: Row): string | undefined {
  const images = row.product?.images;
  const first: unknown = Array.isArray(images) ? images[0] : undefined;
  return typeof first === "string" ? first : undefined;
}

/** Rows that are shown at first. */
const FIRST = 5;

/** The first rows that can be imported, as they would become; the problems of the others are listed apart. */
export function PreviewRows({ rows: all }: { rows: readonly Row[] }) {
  const [whole, setWhole] = useState(false);
  const valid = all.filter(({ product }) => product !== null);
  const rows = whole ? valid : valid.slice(0, FIRST);
  if (rows.length === 0) {
    return null;
  }
  return (
    <Block title="How they will look" note={`The first ${rows.length}`}>
      <ol>
        {rows.map((row) => (
          <li key={row.row} className="line grid-cols-[2.5rem_3rem_minmax(0,1fr)] items-start gap-3">
            <span className="tabular text-right text-ink-2">{row.row}</span>
            <ProductPicture
              src={picture(row)}
              alt=""
              category={text(row, "category")}
              className="w-12 rounded"
            />
            <div className="min-w-0">
              <p className="break-words font-semibold">{text(row, "title")}</p>
              <p className="hint break-words">
                {`${price(row)} · ${percent(Number(text(row, "discount")))} off · ${text(row, "category")} · ${text(row, "source")}${text(row, "status") === "draft" ? " · draft" : ""}`}
              </p>
            </div>
          </li>
        ))}
      </ol>
      {rows.length < valid.length && (
        <Button className="mt-3" onClick={() => setWhole(true)}>{`Show ${valid.length}`}</Button>
      )}
    </Block>
  );
}
