import { failureText } from "../../api/failure";
import { useThisDevice } from "../../api/office/overview";
import { useToast } from "../../ui/toast/toast";

/** Excludes clicks of this device, also while nobody is signed in. */
export function ThisDevice() {
  const { counted, count } = useThisDevice();
  const toast = useToast();
  const change = async (own: boolean) => {
    try {
      await count(!own);
      toast({ title: own ? "Clicks of this device are not counted" : "Clicks of this device are counted" });
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    }
  };
  return (
    <section className="panel" id="device" aria-labelledby="device-title">
      <h2 id="device-title">This device</h2>
      <label className="flex min-h-11 items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          disabled={counted === undefined}
          checked={counted === false}
          onChange={(event) => void change(event.target.checked)}
        />
        Don't count clicks of this device, also when I am signed out
      </label>
      <p className="hint">
        While an administrator is signed in, clicks are not counted anyway. A cookie remembers the choice for
        a year.
      </p>
    </section>
  );
}
