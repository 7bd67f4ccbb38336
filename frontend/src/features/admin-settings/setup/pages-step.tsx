import { useSettings } from "../../../api/office/settings";
import { Loaded } from "../../../ui/loaded";
import { PagesSection } from "../pages-section";
import { useSave } from "./use-save";

/** The pages of the shop, each with a draft to begin with. */
export function PagesStep() {
  const call = useSettings();
  const save = useSave();
  return (
    <Loaded call={call} failure="The settings could not be loaded.">
      {(settings) => <PagesSection settings={settings} save={save} />}
    </Loaded>
  );
}
