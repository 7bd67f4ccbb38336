import eye from "icon:external-link";
import magnifier from "icon:search";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { SaveBarProvider } from "../../ui/form/save-bar";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";
import { ErrorBoundary } from "../error-boundary";
import { Brand } from "../frame/brand";
import { OfflineLine } from "../frame/offline-line";
import { useFocusOnNavigation } from "../use-focus-on-navigation";
import { useScrollOnNavigation } from "../use-scroll-on-navigation";
import { Palette } from "./palette";
import { Rail } from "./rail";
import { Tabs } from "./tabs";

/** Attribute of the page while its last input came from the keyboard: only then a focused heading has a ring. */
const BY_KEYS = "data-keys";

function useKeysAttribute() {
  useEffect(() => {
    const note = ({ type }: Event) => document.documentElement.toggleAttribute(BY_KEYS, type === "keydown");
    const inputs = ["keydown", "pointerdown"];
    for (const input of inputs) {
      document.addEventListener(input, note, true);
    }
    return () => {
      for (const input of inputs) {
        document.removeEventListener(input, note, true);
      }
    };
  }, []);
}

export function OfficeFrame({ children }: { children: ReactNode }) {
  useScrollOnNavigation();
  useFocusOnNavigation();
  const { pathname } = useLocation();
  const [finding, setFinding] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey) {
        event.preventDefault();
        setFinding(true);
      }
    };
    document.addEventListener("keydown", open);
    return () => document.removeEventListener("keydown", open);
  }, []);
  useKeysAttribute();
  const find = () => setFinding(true);
  // Nothing leads away from the steps of a new shop but their own links.
  const opening = pathname === office.setup;
  return (
    <div className="office">
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      {!opening && <Rail onFind={find} />}
      <header className="office-bar">
        <Brand />
        <button type="button" className="top-item" aria-label="Find" onClick={find}>
          <Icon of={magnifier} />
        </button>
        <Link to={paths.listing} className="top-item">
          <Icon of={eye} />
          View shop
        </Link>
      </header>
      <div className="office-page">
        <OfflineLine />
        <main id="content" className="office-main">
          <ErrorBoundary key={pathname}>
            <SaveBarProvider>{children}</SaveBarProvider>
          </ErrorBoundary>
        </main>
      </div>
      {!opening && <Tabs />}
      {finding && <Palette onClose={() => setFinding(false)} />}
    </div>
  );
}
