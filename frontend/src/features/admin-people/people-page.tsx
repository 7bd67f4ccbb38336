import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { usePeople } from "../../api/office/people";
import { Pager } from "../../product/pager";
import { Button } from "../../ui/button";
import { INPUT } from "../../ui/form/field";
import { Notice } from "../../ui/notice";
import { OfficeScreen } from "../../ui/office-screen";
import { InviteForm } from "./invite-form";
import { PersonRow } from "./person-row";

export function PeoplePage() {
  const [parameters, setParameters] = useSearchParams();
  const search = parameters.get("search") ?? "";
  const page = Math.max(1, Math.trunc(Number(parameters.get("page"))) || 1);
  const { data, error, mutate } = usePeople(search, page);
  const found = (text: string) => setParameters(text === "" ? {} : { search: text });
  return (
    <OfficeScreen title="People">
      <div className="form-first">
        <InviteForm />
        <section aria-label="Accounts" className="pane">
          <div className="pane-head">
            <h2>Accounts</h2>
          </div>
          <Search key={search} value={search} onSearch={found} />
          {error && !data && (
            <Notice title="The people could not be loaded">
              <Button onClick={() => void mutate()}>Retry</Button>
            </Notice>
          )}
          {data?.data.length === 0 && <p className="hint">Nobody has this name or address.</p>}
          {data && data.data.length > 0 && (
            <ul>
              {data.data.map((person) => (
                <PersonRow key={person._id} of={person} />
              ))}
            </ul>
          )}
          {data && data.meta.totalPages > 1 && (
            <Pager
              page={page}
              totalPages={data.meta.totalPages}
              onPage={(next) => setParameters({ page: String(next), ...(search === "" ? {} : { search }) })}
            />
          )}
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
