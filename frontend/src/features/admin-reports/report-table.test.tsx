import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import type { Report } from "../../api/types";
import { ReportTable } from "./report-table";

function aReport(rows: number): Report {
  const totals = { counted: rows, leftOut: 0, clicks: rows };
  return {
    by: "product",
    from: "2026-11-01",
    to: "2026-11-30",
    totals,
    rows: Array.from({ length: rows }, (_, at) => ({
      key: `p${at}`,
      label: `Deal ${at}`,
      counted: 1,
      leftOut: 0,
      clicks: 1,
    })),
  } as unknown as Report;
}

it("shows the first 10 rows, and all on request", async () => {
  render(
    <MemoryRouter>
      <ReportTable report={aReport(25)} was={undefined} days={undefined} />
    </MemoryRouter>,
  );
  expect(screen.getAllByRole("link")).toHaveLength(10);
  await userEvent.setup().click(screen.getByRole("button", { name: "Show all 25" }));
  expect(screen.getAllByRole("link")).toHaveLength(25);
  expect(screen.queryByRole("button")).toBeNull();
});

it("has in a line under the title what a phone has no columns for", () => {
  const report = aReport(2);
  Object.assign(report.rows[0] ?? {}, { views: 1340, rate: 12.5 });
  const was = aReport(1);
  render(
    <MemoryRouter>
      <ReportTable report={report} was={was} days={7} />
    </MemoryRouter>,
  );
  const [first, second] = screen.getAllByRole("rowheader");
  expect(first).toHaveTextContent("Before 1 · Its page: 1,340 views · 12.5% went to the seller");
  expect(second).toHaveTextContent("Before 0");
});
