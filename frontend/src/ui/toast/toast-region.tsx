import cross from "icon:x";
import * as Radix from "@radix-ui/react-toast";
import { closeLabel, notification, notifications } from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { Icon } from "../../ui/icon";
import { classNames } from "../class-names";
import { DURATION, type ShownToast } from "./toast-message";

/** Pixels of a swipe that dismisses a toast (spec section 9). */
const SWIPE_THRESHOLD = 50;

/** Moves the focus to the toasts. */
const HOTKEY = "F8";
const HOTKEYS = [HOTKEY];

interface ToastRegionProps {
  toast: ShownToast;
  onOpenChange: (open: boolean) => void;
}

export function ToastRegion({ toast, onOpenChange }: ToastRegionProps) {
  return (
    <Radix.Provider
      duration={DURATION}
      swipeThreshold={SWIPE_THRESHOLD}
      swipeDirection="right"
      label={notification}
    >
      <Radix.Root
        key={toast.id}
        open={toast.open}
        onOpenChange={onOpenChange}
        type={toast.failure ? "foreground" : "background"}
        className={classNames(
          "toast flex items-start gap-3 py-2 pr-1 pl-4",
          "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)",
        )}
      >
        <div className="min-w-0 flex-1 py-3 wide:py-2">
          <Radix.Title className="text-sm font-semibold">{toast.title}</Radix.Title>
          {toast.description && (
            <Radix.Description className="text-sm">{toast.description}</Radix.Description>
          )}
        </div>
        <Radix.Close aria-label={closeLabel} className="grid size-11 place-items-center rounded wide:size-9">
          <Icon of={cross} />
        </Radix.Close>
      </Radix.Root>
      <Radix.Viewport
        className="toasts print:hidden"
        label={fill(notifications, { hotkey: HOTKEY })}
        hotkey={HOTKEYS}
      />
    </Radix.Provider>
  );
}
