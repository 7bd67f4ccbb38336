import alert from "icon:circle-exclamation-point";
import { useNeeds } from "../../api/office/overview";
import type { Overview } from "../../api/types";
import { office } from "../../lib/office-paths";
import { useSession } from "../../session/session";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";

/** Where the needs are met that are not about single deals, and the words of the link. */
const LEADS: Record<string, { to: string; name: string }> = {
  mail: { to: `${office.settings}#mail`, name: "Test" },
  outgoing: { to: office.outgoing, name: "Open" },
  channel: { to: office.channels, name: "Open" },
  backup: { to: `${office.settings}#backups`, name: "How" },
  certificate: { to: `${office.settings}#running`, name: "Open" },
};

/** One line for what is left of opening the shop, or for each thing that keeps it from running well. */
export function Once({ overview: { setup } }: { overview: Overview }) {
  const { isAdmin } = useSession();
  const { data } = useNeeds();
  const left = isAdmin ? setup.filter((step) => !step.done) : [];
  const inSetup = left.map(({ key }) => key);
  const needs = data?.data.filter(({ key }) => LEADS[key] && !inSetup.includes(key)) ?? [];
  if (left.length + needs.length === 0) {
    return null;
  }
  return (
    <ul aria-label="To do once" className="grid gap-2">
      {left.length > 0 && (
        <Line
          text="Finish setting up"
          details={left.map(({ title }) => title).join(" · ")}
          to={office.setup}
          name="Open"
        />
      )}
      {needs.map(({ key, text, details }) => {
        const lead = LEADS[key];
        return lead && <Line key={key} text={text} details={details} {...lead} />;
      })}
    </ul>
  );
}

interface LineProps {
  text: string;
  details: string;
  to: string;
  name: string;
}

function Line({ text, details, to, name }: LineProps) {
  return (
    <li className="flex min-w-0 items-center gap-2 rounded bg-accent-bg ps-3 text-accent">
      <Icon of={alert} className="shrink-0" />
      <p className="min-w-0 truncate max-mid:text-wrap max-mid:wrap-anywhere">
        <b>{text}</b> <span className="max-mid:hidden">{details}</span>
      </p>
      <Link to={to} className="btn btn-plain ms-auto text-accent" aria-label={`${name}: ${text}`}>
        {name}
      </Link>
    </li>
  );
}
