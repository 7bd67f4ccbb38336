import { type DragEvent, useEffect, useRef, useState } from "react";
import { Button } from "./button";
import { classNames } from "./class-names";

/** A grip, the name and the buttons, which are beside them where there is room. */
const ROW =
  "grid grid-cols-[auto_minmax(0,1fr)] items-center gap-2 border-line border-t py-2.5 @min-[32rem]:grid-cols-[auto_minmax(0,1fr)_auto] @min-[32rem]:[&>.category-acts]:col-span-1";

interface ReorderOptions<T> {
  items: readonly T[];
  keyOf: (item: T) => string;
  nameOf: (item: T) => string;
  /** Called with each next order; `settled` is false while a row is being dragged. */
  onOrder: (next: T[], settled: boolean) => void;
}

/** Changes the order of a list's rows by dragging their grips or by buttons, which the keyboard reaches. */
export function useReorder<T>({ items, keyOf, nameOf, onOrder }: ReorderOptions<T>) {
  const [dragged, setDragged] = useState<number>();
  const [said, setSaid] = useState("");
  const [pressed, setPressed] = useState<{ key: string; by: -1 | 1 }>();
  const list = useRef<HTMLOListElement>(null);

  const move = (from: number, to: number, settled: boolean) => {
    const [item] = items.slice(from, from + 1);
    if (item !== undefined && to >= 0 && to < items.length) {
      const rest = items.filter((_, at) => at !== from);
      setSaid(`${nameOf(item)} is number ${to + 1} of ${items.length}`);
      onOrder(rest.toSpliced(to, 0, item), settled);
    }
  };
  useEffect(() => {
    // An element that is moved loses its focus, and so does a button at the end of the list.
    if (pressed) {
      const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
      const row = rows.find(({ dataset }) => dataset.row === pressed.key);
      const buttons = [...(row?.querySelectorAll<HTMLButtonElement>("[data-by]") ?? [])];
      const wanted = buttons.filter(({ disabled }) => !disabled);
      (wanted.find(({ dataset }) => dataset.by === String(pressed.by)) ?? wanted[0])?.focus();
    }
  }, [pressed]);

  const button = (at: number, by: -1 | 1) => (item: T) => (
    <Button
      aria-label={`Move ${nameOf(item)} ${by < 0 ? "up" : "down"}`}
      data-by={by}
      disabled={at + by < 0 || at + by >= items.length}
      onClick={() => {
        move(at, at + by, true);
        setPressed({ key: keyOf(item), by });
      }}
    >
      {by < 0 ? "↑" : "↓"}
    </Button>
  );
  return {
    list,
    /** Says where a row is now, for screen readers. */
    status: (
      <p role="status" className="sr-only">
        {said}
      </p>
    ),
    say: setSaid,
    /** Attributes of the row at a place of the list. */
    row: (item: T, at: number) => ({
      "data-row": keyOf(item),
      onDragOver: (event: DragEvent) => {
        if (dragged === undefined) {
          return;
        }
        event.preventDefault();
        if (dragged !== at) {
          move(dragged, at, false);
          setDragged(at);
        }
      },
      onDrop: (event: DragEvent) => event.preventDefault(),
      className: classNames(ROW, dragged === at && "opacity-60"),
    }),
    grip: (item: T, at: number) => (
      <span
        aria-hidden
        draggable
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = "move";
          event.dataTransfer.setData("text/plain", nameOf(item));
          setDragged(at);
        }}
        onDragEnd={() => {
          setDragged(undefined);
          onOrder([...items], true);
        }}
        className="cursor-grab p-1 text-ink-3 text-lg"
      >
        ⠿
      </span>
    ),
    moves: (item: T, at: number) => (
      <>
        {button(at, -1)(item)}
        {button(at, 1)(item)}
      </>
    ),
  };
}
