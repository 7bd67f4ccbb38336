import type { ReactNode } from "react";
import { useNeeds } from "../../api/office/overview";
import { useSources } from "../../api/office/sources";
import type { ImportReport } from "../../api/types";
import { saveFile } from "../../lib/device/save-file";
import { office } from "../../lib/office-paths";
import { count, counted } from "../../lib/rupees";
import { KINDS } from "../../product/office/kinds";
import { useSession } from "../../session/session";
import { Button, ButtonLink } from "../../ui/button";
import { Block } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";
import type { Imported } from "./use-import";

/** Result of an import and what comes next, until another file is chosen. */
export function ImportResult({ of: { name, report, refused } }: { of: Imported }) {
  const { added, skipped } = report;
  const { isAdmin } = useSession();
  const toast = useToast();
  const download = async () => {
    try {
      saveFile("refused.csv", await refused());
    } catch {
      toast({ title: "The refused rows could not be read", failure: true });
    }
  };
  return (
    <Block title="Imported" note={name}>
      <p role="status">{summary(report)}</p>
      <ul aria-label="Next" className="lines pt-3 empty:hidden">
        {isAdmin && <Untagged />}
        <OldPrices />
      </ul>
      <div className="flex flex-wrap gap-2 pt-3">
        {added > 0 && <ButtonLink to={office.products}>See the new deals</ButtonLink>}
        {skipped > 0 && <Button onClick={() => void download()}>Download rows with errors</Button>}
      </div>
    </Block>
  );
}

/** Says what the import did, without what it did not. */
function summary({ added, updated, unchanged, skipped }: ImportReport): string {
  const parts = [
    added > 0 && `${counted(added, "deal is", "deals are")} added`,
    updated > 0 && `${count(updated)} changed`,
    unchanged > 0 && `${count(unchanged)} there already`,
    skipped > 0 && `${counted(skipped, "row", "rows")} refused`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? "Nothing was changed." : `${parts.join(", ")}.`;
}

function Next({ to, link, children }: { to: string; link: string; children: ReactNode }) {
  return (
    <li className="items-center">
      <span className="min-w-0 break-words">{children}</span>
      <ButtonLink to={to}>{link}</ButtonLink>
    </li>
  );
}

/** Sellers with deals whose links carry no tag of the owner. */
function Untagged() {
  const { data } = useSources();
  const without = (data?.data ?? []).filter(
    ({ products, tag, sharedTag, noTag }) => products > 0 && tag === "" && !sharedTag && !noTag,
  );
  if (without.length === 0) {
    return null;
  }
  const deals = without.reduce((all, { products }) => all + products, 0);
  const names = new Intl.ListFormat("en-IN").format(without.slice(0, 3).map(({ source }) => source));
  const others =
    without.length > 3 ? ` and ${counted(without.length - 3, "other seller", "other sellers")}` : "";
  return (
    <Next to={office.sources} link="Set your tags">
      {`${counted(deals, "deal", "deals")} of ${names}${others} ${deals === 1 ? "has" : "have"} no affiliate tag: you earn nothing by ${deals === 1 ? "it" : "them"}.`}
    </Next>
  );
}

/** Deals whose price was not checked lately. */
function OldPrices() {
  const { data } = useNeeds();
  const old = KINDS.find(({ need }) => need === "price");
  const number = data?.data.find(({ key }) => key === "price")?.products ?? 0;
  return old === undefined || number === 0 ? null : (
    <Next to={old.to} link="Check prices">
      {`${counted(number, "price was", "prices were")} not checked lately.`}
    </Next>
  );
}
