import bell from "icon:bell";
import { lazy, Suspense, useState } from "react";
import { count } from "../../lib/rupees";
import { tellMeBelow, tellMeOfSaved } from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";

// It is opened seldom.
const AlertDialog = lazy(() => import("./alert-dialog"));

interface AlertButtonProps {
  ids: readonly string[];
  /** Rupees of the only product. */
  price?: number;
}

/** Asks for a message when a price falls. */
export function AlertButton({ ids, price }: AlertButtonProps) {
  const [open, setOpen] = useState(false);
  const target = price && bitBelow(price);
  return (
    <>
      <Button className="alert-ask needs-script" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon of={bell} />
        <span>{target ? fill(tellMeBelow, { amount: count(target) }) : tellMeOfSaved}</span>
      </Button>
      {open && (
        <Suspense>
          <AlertDialog ids={ids} onClose={() => setOpen(false)} {...(target && { target })} />
        </Suspense>
      )}
    </>
  );
}

/** Returns a round number a bit below a price: at least 3 %. */
export function bitBelow(price: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(price)) - 1);
  return Math.max(1, Math.floor((price * 0.97) / step) * step);
}
