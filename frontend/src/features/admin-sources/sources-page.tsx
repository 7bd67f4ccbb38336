import { useState } from "react";
import { failureText } from "../../api/failure";
import { useSourceChanges, useSources } from "../../api/office/sources";
import { useFacets } from "../../api/products/related";
import type { SourceRules } from "../../api/types";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { ButtonLink } from "../../ui/button";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { OfficeScreen } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";
import { OwnShops } from "./own-shops";
import { SourceRows } from "./source-rows";

const WHOLE_SHOP = {};

export function SourcesPage() {
  const { data, error, mutate } = useSources();
  const { data: facets } = useFacets(WHOLE_SHOP);
  const live = new Map(facets?.sources.map(({ name, products }) => [name, products]));
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
        Press a name to rename or merge a seller. Press a tag, rule or offer to change it.
      </p>
      <Loaded call={{ data, error, mutate }} failure="The sellers could not be loaded">
        {({ data: sellers, shops, version }) => (
          <>
            {sellers.length === 0 ? (
              <Notice title="No sellers here yet">
                <p className="hint">A seller is listed with its first deal. Add one, or import a file.</p>
                <div className="flex flex-wrap gap-2">
                  <ButtonLink to={paths.addProduct}>Add product</ButtonLink>
                  <ButtonLink to={office.files}>Import a file</ButtonLink>
                </div>
              </Notice>
            ) : (
              <section aria-label="Sellers" className="pane">
                <table className="rows sellers">
                  <thead>
                    <tr>
                      <th scope="col">Seller</th>
                      <th scope="col">Deals</th>
                      <th scope="col">Your affiliate tag</th>
                      <th scope="col">What is shown</th>
                      <th scope="col">Offers</th>
                    </tr>
                  </thead>
                  {sellers.map((source) => (
                    <SourceRows
                      key={source.source}
                      of={source}
                      live={live.get(source.source) ?? 0}
                      others={sellers.map((other) => other.source).filter((other) => other !== source.source)}
                      pending={pending === source.source}
                      onChoose={(rules) => choose(source.source, rules)}
                    />
                  ))}
                </table>
              </section>
            )}
            <OwnShops shops={shops} onSave={(next) => change.shops(version, next)} />
          </>
        )}
      </Loaded>
    </OfficeScreen>
  );
}
