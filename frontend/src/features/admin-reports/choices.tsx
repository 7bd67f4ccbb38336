import { useProduct } from "../../api/products/product";
import { Button } from "../../ui/button";
import { Select } from "../../ui/form/select";
import { RANGES, type ReportState, WAYS } from "./use-report-query";

const INDIA = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Kolkata" });

export function Choices({ asked: { query, range, change } }: { asked: ReportState }) {
  const today = INDIA.format(new Date());
  return (
    <div className="tools">
      <Select
        id="from"
        name="from"
        label="Time"
        value={range}
        options={RANGES}
        onChange={(from) => change(from === "own" ? { from: today, to: today } : { from, to: "" })}
      />
      {range === "own" && (
        <>
          <Day label="First day" value={query.from} most={today} onChange={(from) => change({ from })} />
          <Day label="Last day" value={query.to ?? today} most={today} onChange={(to) => change({ to })} />
        </>
      )}
      <Select
        id="by"
        name="by"
        label="Group by"
        value={query.by}
        options={WAYS}
        onChange={(by) => change({ by })}
      />
      {query.product !== undefined && (
        <OfProduct id={query.product} onClear={() => change({ product: "" })} />
      )}
      {query.source !== undefined && (
        <Button onClick={() => change({ source: "" })}>Only {query.source} ✕</Button>
      )}
    </div>
  );
}

function OfProduct({ id, onClear }: { id: string; onClear: () => void }) {
  const { data } = useProduct(id);
  return (
    <Button onClick={onClear} className="max-w-full">
      <span className="truncate">Only “{data?.title ?? "one deal"}”</span> ✕
    </Button>
  );
}

interface DayProps {
  label: string;
  value: string;
  most: string;
  onChange: (day: string) => void;
}

function Day({ label, value, most, onChange }: DayProps) {
  return (
    <div className="choice">
      <input
        type="date"
        aria-label={label}
        className="number-field w-full min-w-0 px-2"
        value={value}
        max={most}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
