import { useFormikContext } from "formik";
import { Button } from "../../ui/button";
import { useReorder } from "../../ui/reorder";
import { type Draft, nameOf } from "./kinds";
import { SectionFields } from "./section-fields";

export interface Values {
  sections: Draft[];
}

interface SectionListProps {
  /** Key of the section whose fields are shown. */
  open: string | undefined;
  onOpen: (key: string | undefined) => void;
}

/** The sections in their order, which is changed by dragging or by buttons. */
export function SectionList({ open, onOpen }: SectionListProps) {
  const { values, setFieldValue } = useFormikContext<Values>();
  const { sections } = values;
  const { list, status, say, row, grip, moves } = useReorder({
    items: sections,
    keyOf: ({ key }) => key,
    nameOf,
    onOrder: (next) => void setFieldValue("sections", next),
  });
  const remove = (section: Draft) => {
    say(`${nameOf(section)} is removed`);
    void setFieldValue(
      "sections",
      sections.filter((other) => other !== section),
    );
    list.current?.closest("section")?.querySelector<HTMLElement>("h2")?.focus();
  };

  return (
    <>
      {status}
      {sections.length === 0 && <p className="hint">No sections: visitors see the default page.</p>}
      <ol ref={list} aria-label="Sections in their order" className="deal-rows">
        {sections.map((section, at) => {
          const { key, kind } = section;
          const name = nameOf(section);
          const isOpen = open === key;
          return (
            <li key={key} {...row(section, at)}>
              {grip(section, at)}
              <b className="min-w-0 break-words">{name}</b>
              <div className="category-acts">
                {moves(section, at)}
                <Button
                  aria-label={`Change ${name}`}
                  aria-expanded={isOpen}
                  onClick={() => onOpen(isOpen ? undefined : key)}
                >
                  Change
                </Button>
                <Button variant="danger" aria-label={`Remove ${name}`} onClick={() => remove(section)}>
                  Remove
                </Button>
              </div>
              {isOpen && (
                <div className="category-form grid gap-4 pt-2">
                  <SectionFields kind={kind} path={`sections[${at}]`} />
                </div>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}
