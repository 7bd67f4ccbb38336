import { useRef, useState } from "react";
import { ApiError } from "../../api/client";
import { failureText, fieldErrors } from "../../api/failure";
import { changeSettings, useSettings } from "../../api/office/settings";
import type { ShopSettings } from "../../api/types";
import { useShowShop } from "../../shop/shop";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { OfficeScreen } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";
import { LogoField } from "./logo-field";
import { AccentField } from "./looks/accent-field";
import { PagesSection } from "./pages-section";
import { MailAndBackups, Running } from "./running";
import { SameWords } from "./same-words";
import type { Save } from "./save";
import { SECTIONS } from "./sections";
import { Subscribers } from "./subscribers";
import { TextSettings } from "./text-settings";
import { ThisDevice } from "./this-device";

export function SettingsPage() {
  const { data, error, mutate } = useSettings();
  const toast = useToast();
  const showShop = useShowShop();
  const [stale, setStale] = useState(false);
  // The version on screen, whatever is fetched meanwhile.
  const edited = useRef<number>(undefined);

  const save: Save = async (change) => {
    if (!data) {
      return undefined;
    }
    try {
      const saved = await changeSettings(edited.current ?? data.version, change);
      edited.current = saved.version;
      showShop(saved.shop);
      await mutate(saved, { revalidate: false });
      toast({ title: "Settings saved" });
      return undefined;
    } catch (failure) {
      setStale(failure instanceof ApiError && failure.status === 409);
      toast({ title: "Failed to save the settings", description: failureText(failure), failure: true });
      return { text: failureText(failure), fields: fieldErrors(failure) };
    }
  };

  const goOn = async () => {
    const newest = await mutate();
    edited.current = newest?.version;
    setStale(false);
  };

  return (
    <OfficeScreen title="Settings">
      {error && !data && (
        <Notice title="The settings could not be loaded.">
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      )}
      {!data && !error && <p role="status">Loading...</p>}
      {stale && (
        <Notice title="Somebody else changed the settings in the meantime.">
          <p className="hint">What you typed is still here. Look at theirs below, then save yours again.</p>
          <Button onClick={() => void goOn()}>Go on with the newest</Button>
        </Notice>
      )}
      {data && <Sections settings={data} save={save} />}
    </OfficeScreen>
  );
}

function Sections({ settings, save }: { settings: ShopSettings; save: Save }) {
  return (
    <>
      <nav aria-label="Parts of the settings" className="views wide:flex-wrap wide:gap-y-0">
        {SECTIONS.map(([id, name]) => (
          <a key={id} href={`#${id}`}>
            {name}
          </a>
        ))}
      </nav>
      <div className="grid grid-cols-1 items-start gap-4 full:grid-cols-2">
        <TextSettings shop={settings.shop} save={save} />
        <LogoField logo={settings.shop.mark} own={settings.ownMark} save={save} />
        <AccentField accent={settings.accent} save={save} />
        <PagesSection settings={settings} save={save} />
        <SameWords lines={settings.sameWords} save={save} />
        <MailAndBackups />
        <Subscribers hour={settings.digestHour} save={save} />
        <ThisDevice />
        <Running />
      </div>
    </>
  );
}
