import { useSearchParams } from "react-router-dom";
import { reportPath, useReport } from "../../api/reports";
import { count } from "../../lib/rupees";
import { Button, ButtonAnchor } from "../../ui/button";
import { Select } from "../../ui/form/select";
import { Notice } from "../../ui/notice";
import { Screen } from "../../ui/screen";
import { LeftOutList } from "./left-out-list";
import { ReportTable } from "./report-table";

const RANGES = [
  { value: "1d", label: "Today" },
  { value: "7d", label: "7 days" },
  { value: "30d", label: "30 days" },
  { value: "90d", label: "90 days" },
  { value: "365d", label: "12 months" },
];
const WAYS = [
  { value: "day", label: "Day" },
  { value: "product", label: "Product" },
  { value: "source", label: "Seller" },
  { value: "category", label: "Category" },
  { value: "channel", label: "Where visitors came from" },
  { value: "place", label: "Where they clicked" },
  { value: "verdict", label: "Why left out" },
];

/** What was clicked: sums told apart in one way, and each click that was left out. */
export function ReportsPage() {
  const [parameters, setParameters] = useSearchParams();
  const from = oneOf(RANGES, parameters.get("from"), "30d");
  const by = oneOf(WAYS, parameters.get("by"), "day");
  const { data, error, mutate } = useReport(by, from);
  const choose = (name: string, value: string) => setParameters({ from, by, [name]: value });
  return (
    <Screen title="Reports">
      <div className="grid max-w-[32rem] grid-cols-1 gap-2 mid:grid-cols-2">
        <Select
          id="from"
          name="from"
          label="Time"
          value={from}
          options={RANGES}
          onChange={(value) => choose("from", value)}
        />
        <Select
          id="by"
          name="by"
          label="Told apart by"
          value={by}
          options={WAYS}
          onChange={(value) => choose("by", value)}
        />
      </div>
      {error && !data ? (
        <Notice title="Failed to load the report">
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      ) : (
        data && (
          <>
            <p role="status" className="tabular text-base">
              <strong className="font-semibold">{count(data.totals.counted)}</strong> counted ·{" "}
              {count(data.totals.leftOut)} left out · {count(data.totals.clicks)} clicks in all
            </p>
            {data.totals.clicks === 0 ? (
              <Notice title="Nothing was clicked in this time." />
            ) : (
              <ReportTable report={data} />
            )}
            <ButtonAnchor href={reportPath(by, from, "csv")} download className="self-start">
              Download CSV
            </ButtonAnchor>
          </>
        )
      )}
      <LeftOutList />
    </Screen>
  );
}

function oneOf(choices: { value: string }[], value: string | null, usual: string): string {
  return choices.some((choice) => choice.value === value) && value !== null ? value : usual;
}
