import { failureText, fieldErrors } from "../../../api/failure";
import { useOverview } from "../../../api/office/overview";
import { changeSettings, useSettings } from "../../../api/office/settings";
import { useShowShop } from "../../../shop/shop";
import { useToast } from "../../../ui/toast/toast";
import type { Save } from "../save";

/** Returns the function that saves settings and renews the steps. */
export function useSave(): Save {
  const { data, mutate } = useSettings();
  const { mutate: mutateSteps } = useOverview();
  const toast = useToast();
  const showShop = useShowShop();
  return async (change) => {
    if (!data) {
      return undefined;
    }
    try {
      const saved = await changeSettings(data.version, change);
      showShop({ letter: undefined, ...saved.shop });
      await mutate(saved, { revalidate: false });
      await mutateSteps();
      toast({ title: "Settings saved" });
      return undefined;
    } catch (failure) {
      // After a conflict the next try is based on the newest version.
      await mutate();
      return { text: failureText(failure), fields: fieldErrors(failure) };
    }
  };
}
