import { useFormikContext } from "formik";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button";
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
  const [dragged, setDragged] = useState<number>();
  const [said, setSaid] = useState("");
  const list = useRef<HTMLOListElement>(null);
  const [pressed, setPressed] = useState<{ key: string; by: -1 | 1 }>();

  const move = (from: number, to: number) => {
    const next = sections.filter((_, at) => at !== from);
    const [section] = sections.slice(from, from + 1);
    if (section && to >= 0 && to < sections.length) {
      next.splice(to, 0, section);
      setSaid(`${nameOf(section)} is number ${to + 1} of ${sections.length}`);
      void setFieldValue("sections", next);
    }
  };
  useEffect(() => {
    // An element that is moved loses its focus, and so does a button at the end of the list.
    if (pressed) {
      const row = list.current?.querySelector(`#${pressed.key}`);
      const buttons = [...(row?.querySelectorAll<HTMLButtonElement>("[data-by]") ?? [])];
      const wanted = buttons.filter(({ disabled }) => !disabled);
      (wanted.find(({ dataset }) => dataset.by === String(pressed.by)) ?? wanted[0])?.focus();
    }
  }, [pressed]);

  const press = (at: number, by: -1 | 1, key: string) => {
    move(at, at + by);
    setPressed({ key, by });
  };
  const dragOver = (event: DragEvent, at: number) => {
    if (dragged === undefined) {
      return;
    }
    event.preventDefault();
    if (dragged !== at) {
      move(dragged, at);
      setDragged(at);
    }
  };
  const remove = (at: number) => {
    const [section] = sections.slice(at, at + 1);
    setSaid(section ? `${nameOf(section)} is removed` : "");
    void setFieldValue(
      "sections",
      sections.filter((_, other) => other !== at),
    );
    list.current?.closest("section")?.querySelector<HTMLElement>("h2")?.focus();
  };

  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      {sections.length === 0 && <p className="hint">No sections: visitors see the usual page.</p>}
      <ol ref={list} aria-label="Sections in their order" className="deal-rows">
        {sections.map((section, at) => {
          const { key, kind } = section;
          const name = nameOf(section);
          const isOpen = open === key;
          return (
            <li
              key={key}
              id={key}
              onDragOver={(event) => dragOver(event, at)}
              onDrop={(event) => event.preventDefault()}
              className={dragged === at ? "section-row opacity-60" : "section-row"}
            >
              {/* The buttons are what the keyboard reaches. */}
              <span
                aria-hidden
                draggable
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = "move";
                  event.dataTransfer.setData("text/plain", name);
                  setDragged(at);
                }}
                onDragEnd={() => setDragged(undefined)}
                className="section-grip"
              >
                ⠿
              </span>
              <b className="min-w-0 break-words">{name}</b>
              <div className="category-acts">
                <Button
                  aria-label={`Move ${name} up`}
                  data-by={-1}
                  disabled={at === 0}
                  onClick={() => press(at, -1, key)}
                >
                  ↑
                </Button>
                <Button
                  aria-label={`Move ${name} down`}
                  data-by={1}
                  disabled={at === sections.length - 1}
                  onClick={() => press(at, 1, key)}
                >
                  ↓
                </Button>
                <Button
                  aria-label={`Change ${name}`}
                  aria-expanded={isOpen}
                  onClick={() => onOpen(isOpen ? undefined : key)}
                >
                  Change
                </Button>
                <Button variant="danger" aria-label={`Remove ${name}`} onClick={() => remove(at)}>
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
