import type { ReactNode } from "react";
import type { FilePreview } from "../../api/types";
import { count, counted } from "../../lib/rupees";
import { formats } from "../../shop/formats.json";
import { PRODUCT_FIELDS } from "../../shop/product-fields";
import { Block } from "../../ui/office-screen";
import { problemText } from "./mapping/fields";

/** Returns a field as a sentence names it. */
function fieldText(field: string): string {
  return `the ${(PRODUCT_FIELDS[field]?.label ?? field).toLowerCase()}`;
}

/** Returns a format as a sentence names it. */
export function formatText(format: string): string {
  return formats.find(({ name }) => name === format)?.label ?? format;
}

interface FindingsProps {
  name: string;
  of: FilePreview;
}

/** Format of the file, and its problems. */
export function Findings({ name, of }: FindingsProps) {
  const { format, valid, refused, missing, questions, dates, newCategories, note } = of;
  return (
    <>
      <p className="break-words">
        {`${name} is ${formatText(format)} with ${counted(valid + refused, "row", "rows")}: ${count(valid)} can be imported, ${count(refused)} cannot.`}
      </p>
      {missing.length > 0 && (
        <p className="pt-2 text-danger">{`No column was found for ${missing.map(fieldText).join(", ")}.`}</p>
      )}
      {questions.map(({ field, columns }) => (
        <p key={field} className="pt-2 text-danger">
          {`${list(columns)} could each be ${fieldText(field)}: choose one below.`}
        </p>
      ))}
      {dates && <p className="pt-2">{`Dates have the ${dates === "dmy" ? "day" : "month"} first.`}</p>}
      {newCategories.length > 0 && (
        <p className="pt-2 break-words">
          {`${counted(newCategories.length, "category", "categories")} will be created: ${newCategories.join(", ")}.`}
        </p>
      )}
      {note && <p className="pt-2">{note}</p>}
    </>
  );
}

function list(columns: readonly string[]): string {
  return new Intl.ListFormat("en-IN").format(columns.map((name) => `“${name}”`));
}

/** Returns the rows with each problem, in the order of the file. */
function rowsByProblem(problems: FilePreview["problems"]): Map<string, number[]> {
  const rows = new Map<string, number[]>();
  for (const { row, field, message } of problems) {
    const problem = problemText(field, message);
    rows.set(problem, [...(rows.get(problem) ?? []), row]);
  }
  return rows;
}

/** Maximum number of rows that a problem names. */
const NAMED = 3;

function rowList(rows: readonly number[]): string {
  const more = rows.length - NAMED;
  const parts = rows.slice(0, NAMED).map(String);
  const all = more > 0 ? [...parts, `${count(more)} more`] : parts;
  return `${rows.length === 1 ? "Row" : "Rows"} ${new Intl.ListFormat("en-IN").format(all)}`;
}

interface ProblemsProps {
  of: FilePreview;
  children: ReactNode;
}

/** Problems of each row. */
export function Problems({ of: { problems, moreProblems }, children }: ProblemsProps) {
  return (
    <Block title="Problems" note={count(problems.length + moreProblems)}>
      <ul className="text-sm text-ink-2">
        {[...rowsByProblem(problems)].map(([problem, rows]) => (
          <li key={problem} className="break-words">
            {`${rowList(rows)}: ${problem}`}
          </li>
        ))}
        {moreProblems > 0 && <li>{`… and ${count(moreProblems)} more`}</li>}
      </ul>
      <div className="pt-2">{children}</div>
    </Block>
  );
}
