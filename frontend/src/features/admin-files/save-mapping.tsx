import { useState } from "react";
import { failureText } from "../../api/failure";
import { useMappingChanges, useMappings } from "../../api/office/files";
import type { Mapping } from "../../api/types";
import { Button } from "../../ui/button";
import { INPUT } from "../../ui/form/field";
import { Block } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";

interface SaveMappingProps {
  mapping: Mapping;
  onSaved: (name: string) => void;
}

/** Saves how this file was read, for the next one of its kind. */
export function SaveMapping({ mapping, onSaved }: SaveMappingProps) {
  const { data } = useMappings();
  const { save, remove } = useMappingChanges();
  const toast = useToast();
  const [name, setName] = useState("");
  const attempt = async (work: () => Promise<void>, done: string) => {
    try {
      await work();
      toast({ title: done });
      return true;
    } catch (failure) {
      toast({ title: "That did not work", description: failureText(failure), failure: true });
      return false;
    }
  };
  return (
    <Block title="Keep this mapping" className="stack">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = name.trim();
          void attempt(() => save(wanted, mapping), `Saved as ${wanted}`).then((saved) => {
            if (saved) {
              setName("");
              onSaved(wanted);
            }
          });
        }}
      >
        <label className="block text-sm">
          Name
          <input
            className={INPUT}
            autoComplete="off"
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <Button type="submit" disabled={name.trim() === ""}>
          Save the mapping
        </Button>
      </form>
      {data !== undefined && data.saved.length > 0 && (
        <ul className="grid gap-1 text-sm">
          {data.saved.map((saved) => (
            <li key={saved} className="flex items-center justify-between gap-2">
              <span className="min-w-0 break-words">{saved}</span>
              <Button
                variant="plain"
                aria-label={`Delete the mapping ${saved}`}
                onClick={() => void attempt(() => remove(saved), `Deleted ${saved}`)}
              >
                Delete
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Block>
  );
}
