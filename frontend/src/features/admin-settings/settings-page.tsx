import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { ApiError } from "../../api/client";
import { failureText, fieldErrors } from "../../api/failure";
import { changeSettings, useSettings } from "../../api/office/settings";
import type { ShopSettings } from "../../api/types";
import { office } from "../../lib/office-paths";
import { useShowShop } from "../../shop/shop";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { OfficeScreen } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";
import { LogoField } from "./logo-field";
import { AccentField } from "./looks/accent-field";
import { PagesSection } from "./pages-section";
import { Backups, Mail, Running } from "./running";
import { SameWords } from "./same-words";
import type { Save } from "./save";
import { SECTIONS, type SettingsSectionId, sectionOf } from "./sections/sections";
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
    if (Object.keys(change).length === 0) {
      toast({ title: "Nothing was changed" });
      return undefined;
    }
    try {
      const saved = await changeSettings(edited.current ?? data.version, change);
      edited.current = saved.version;
      showShop({ letter: undefined, ...saved.shop });
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
      {stale && (
        <Notice title="Somebody else changed the settings in the meantime.">
          <p className="hint">What you typed is still here. Look at theirs below, then save yours again.</p>
          <Button onClick={() => void goOn()}>Continue with the newest</Button>
        </Notice>
      )}
      <Loaded call={{ data, error, mutate }} failure="The settings could not be loaded.">
        {(settings) => <Sections settings={settings} save={save} />}
      </Loaded>
    </OfficeScreen>
  );
}

/** All sections stay, so that nothing typed in one is lost when another is shown. */
function Sections({ settings, save }: { settings: ShopSettings; save: Save }) {
  const { hash } = useLocation();
  const shown = sectionOf(hash);
  useEffect(() => {
    // Fragments of parts; the sections themselves begin at the top.
    document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  const contents: Record<SettingsSectionId, ReactNode> = {
    shop: <TextSettings shop={settings.shop} save={save} />,
    look: (
      <>
        <LogoField logo={settings.shop.mark} own={settings.ownMark} save={save} />
        <AccentField accent={settings.accent} save={save} />
      </>
    ),
    pages: <PagesSection settings={settings} save={save} />,
    search: <SameWords lines={settings.sameWords} save={save} />,
    mail: <Mail />,
    subscribers: <Subscribers hour={settings.digestHour} save={save} />,
    backups: <Backups />,
    server: (
      <>
        <ThisDevice />
        <Running />
      </>
    ),
  };
  return (
    <div className="grid items-start gap-4 wide:grid-cols-[12rem_minmax(0,1fr)] wide:gap-6">
      <nav aria-label="Settings" className="flex flex-wrap gap-x-1 wide:sticky wide:top-6 wide:grid">
        {SECTIONS.map(({ id, title }) => (
          <Link
            key={id}
            to={`${office.settings}#${id}`}
            replace
            className="rail-item w-auto"
            aria-current={id === shown ? "page" : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      {SECTIONS.map(({ id }) => (
        <div key={id} hidden={id !== shown} className="grid min-w-0 max-w-[46rem] gap-4">
          {contents[id]}
        </div>
      ))}
    </div>
  );
}
