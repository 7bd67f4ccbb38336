import { useState } from "react";
import { failureText } from "../../api/failure";
import { useSourceChanges, useSources } from "../../api/office/sources";
import type { SourceRules } from "../../api/types";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { Button, ButtonLink } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { OfficeScreen } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";
import { OwnShops } from "./own-shops";
import { SourceRows } from "./source-rows";

export function SourcesPage() {
  const { data, error, mutate } = useSources();
  const change = useSourceChanges();
  const toast = useToast();
  const [pending, setPending] = useState<string>();

  const choose = async (source: string, rules: Partial<SourceRules>) => {
    if (!data) {
      return;
    }
    setPending(source);
    try {
      await change.rules(data.version, source, rules);
      toast({ title: `Rules of ${source} saved` });
    } catch (failure) {
      toast({ title: "The rules were not saved", description: failureText(failure), failure: true });
      await mutate();
    } finally {
      setPending(undefined);
    }
  };

  return (
    <OfficeScreen title="Sellers" note={data && `${data.data.length} sellers`}>
      <p className="hint max-w-[44rem]">
        What a seller's programme allows you to show, your tag in its links, and offers for all its deals. A
        new seller is open: everything is shown.
      </p>
      {error && !data && (
        <Notice title="The sellers could not be loaded">
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      )}
      {data?.data.length === 0 && (
        <Notice title="No sellers here yet">
          <p className="hint">A seller is listed with its first deal. Add one, or import a file.</p>
          <div className="flex flex-wrap gap-2">
            <ButtonLink to={paths.addProduct}>Add product</ButtonLink>
            <ButtonLink to={office.files}>Import a file</ButtonLink>
          </div>
        </Notice>
      )}
      {data && data.data.length > 0 && (
        <section aria-label="Sellers" className="pane">
          <table className="rows sellers">
            <thead>
              <tr>
                <th scope="col">Seller</th>
                <th scope="col">Deals</th>
                <th scope="col">Your tag</th>
                <th scope="col">Rules</th>
                <th scope="col">Offers</th>
              </tr>
            </thead>
            {data.data.map((source) => (
              <SourceRows
                key={source.source}
                of={source}
                pending={pending === source.source}
                onChoose={(rules) => choose(source.source, rules)}
              />
            ))}
          </table>
        </section>
      )}
      {data && <OwnShops shops={data.shops} onSave={(shops) => change.shops(data.version, shops)} />}
    </OfficeScreen>
  );
}
