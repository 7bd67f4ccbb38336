import type { ReactNode } from "react";
import { Button } from "../../../ui/button";
import { classNames } from "../../../ui/class-names";

interface GroupProps {
  title: string | undefined;
  note: ReactNode;
  /** Title of the deal that is kept. */
  keeps: string | undefined;
  onKeep: () => void;
  children: ReactNode;
}

/** A group of possible duplicates: its products side by side, and the button that keeps the cheapest. */
export function Group({ title, note, keeps, onKeep, children }: GroupProps) {
  return (
    <li className="panel">
      <div className="flex items-start justify-between gap-3">
        <div>
          <h2 className="font-semibold">
            <span className="clamp-2">{title}</span>
          </h2>
          <p className="quiet">{note}</p>
        </div>
        {keeps !== undefined && (
          <Button className="shrink-0" aria-label={`Keep the cheapest: ${keeps}`} onClick={onKeep}>
            Keep the cheapest
          </Button>
        )}
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-3">{children}</ul>
    </li>
  );
}

interface TwinProps {
  kept: boolean;
  picture?: ReactNode;
  children: ReactNode;
}

/** A product of a group. */
export function Twin({ kept, picture, children }: TwinProps) {
  return (
    <li
      className={classNames(
        "grid items-center gap-3 rounded-[6px] border p-2",
        kept ? "border-saving" : "border-line",
        picture === undefined ? "grid-cols-1" : "grid-cols-[72px_minmax(0,1fr)]",
      )}
    >
      {picture}
      <div>{children}</div>
    </li>
  );
}
