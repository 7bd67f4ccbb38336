import { type ReactNode, useState } from "react";
import { classNames } from "../class-names";

interface DropAreaProps {
  onDrop: (files: FileList) => void;
  children: ReactNode;
}

/** A frame onto which files can be dropped, around the field that takes them by keyboard. */
export function DropArea({ onDrop, children }: DropAreaProps) {
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field within is what the keyboard reaches
    <div
      className={classNames(
        "grid grid-cols-1 gap-2 rounded border border-field border-dashed p-4",
        over && "border-accent bg-accent-bg",
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrop(event.dataTransfer.files);
      }}
    >
      {children}
    </div>
  );
}

/** The part of a label that says that files can be dropped, for devices that can. */
export function DropHint({ children }: { children: string }) {
  return <span className="hidden [@media(hover:hover)]:inline">{children}</span>;
}
