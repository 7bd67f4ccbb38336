import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { usePeople } from "../../api/office/people";
import { Pager } from "../../product/pager";
import { Button } from "../../ui/button";
import { INPUT } from "../../ui/form/field";
import { Loaded } from "../../ui/loaded";
import { OfficeScreen } from "../../ui/office-screen";
import { InviteForm } from "./invite-form";
import { PersonRow } from "./person-row";

export function PeoplePage() {
  const [parameters, setParameters] = useSearchParams();
  const search = parameters.get("search") ?? "";
  const page = Math.max(1, Math.trunc(Number(parameters.get("page"))) || 1);
  const found = (text: string) => setParameters(text === "" ? {} : { search: text });
  const turn = (next: number) => setParameters({ page: String(next), ...(search === "" ? {} : { search }) });
  return (
    <OfficeScreen title="People">
      <div className="form-first">
        <InviteForm />
        <section aria-label="Accounts" className="pane">
          <div className="pane-head">
            <h2>Accounts</h2>
          </div>
          <Search key={search} value={search} onSearch={found} />
          <Loaded call={usePeople(search, page)} failure="The people could not be loaded">
            {({ data, meta }) => (
              <>
                {data.length === 0 ? (
                  <p className="hint">Nobody has this name or address.</p>
                ) : (
                  <ul>
                    {data.map((person) => (
                      <PersonRow key={person._id} of={person} />
                    ))}
                  </ul>
                )}
                {meta.totalPages > 1 && <Pager page={page} totalPages={meta.totalPages} onPage={turn} />}
              </>
            )}
          </Loaded>
        </section>
      </div>
    </OfficeScreen>
  );
}

function Search({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value);
  return (
    <search>
      <form
        className="flex gap-2 pb-3"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <input
          type="search"
          aria-label="Name or address"
          placeholder="Name or address"
          maxLength={200}
          autoComplete="off"
          className={INPUT}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit">Find</Button>
      </form>
    </search>
  );
}
