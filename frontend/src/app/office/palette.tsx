import circlePlus from "icon:circle-plus";
import person from "icon:circle-user";
import house from "icon:house";
import magnifier from "icon:search";
import { type KeyboardEvent, useDeferredValue, useId, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useProductSearch } from "../../api/office/catalogue";
import { SECTIONS } from "../../features/admin-settings/sections/sections";
import { office } from "../../lib/office-paths";
import { FROM_OFFICE, paths } from "../../lib/paths";
import { rupees } from "../../lib/rupees";
import { useSession } from "../../session/session";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icon";
import { PLACES, type Place, placesOf } from "./places";

const OTHERS: Place[] = [
  { to: paths.addProduct, name: "Add product", words: "new deal link paste", icon: circlePlus },
  { to: paths.listing, name: "View shop", words: "visitors site website", icon: house },
  {
    to: paths.profile,
    name: "Profile",
    hint: "Your password and devices",
    words: "account sign out logout password two-factor 2fa code sessions",
    icon: person,
  },
];

const TABS: Place[] = PLACES.posts.tabs;

const SETTINGS: Place[] = SECTIONS.map(({ id, title, words }) => ({
  ...PLACES.settings,
  to: `${office.settings}#${id}`,
  name: `Settings: ${title}`,
  words,
}));

interface Found {
  to: string;
  name: string;
  more?: string;
  icon?: Place["icon"];
}

/** Command palette (Ctrl K): finds screens and products. */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const found = useFound(text);
  const here = Math.min(at, found.length - 1);
  const option = (index: number) => `${id}-${index}`;

  const go = (place: Found | undefined) => {
    if (place) {
      onClose();
      void navigate(place.to, { state: FROM_OFFICE });
    }
  };
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setAt((here + step + found.length) % found.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      go(found[here]);
    }
  };
  return (
    <Dialog label="Find" className="confirm mt-[10vh] w-[min(36rem,calc(100vw-2rem))] p-3" onClose={onClose}>
      <div className="search-field">
        <Icon of={magnifier} />
        <input
          type="text"
          className="rounded-[6px] pr-3"
          role="combobox"
          aria-label="Find a product or a screen"
          placeholder="Find a product or a screen"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={here >= 0 ? option(here) : undefined}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Results"
        className="mt-2 max-h-[60vh] overflow-y-auto"
      >
        {found.map(({ to, name, more, icon }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus (ARIA combobox)
          <div
            key={to}
            id={option(index)}
            role="option"
            aria-selected={index === here}
            className="palette-item"
            onClick={() => go({ to, name })}
            onPointerMove={() => setAt(index)}
          >
            {icon && <Icon of={icon} />}
            <span className="truncate">{name}</span>
            {more && <small>{more}</small>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="hint py-3">Nothing found.</p>}
    </Dialog>
  );
}

function useFound(text: string): Found[] {
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const { data } = useProductSearch(wanted);
  const { isAdmin } = useSession();
  const sections = wanted === "" ? [] : placesOf({ isAdmin }, [...TABS, ...SETTINGS]);
  const screens = matching([...placesOf({ isAdmin }), ...sections, ...OTHERS], wanted);
  const products = wanted === "" ? [] : (data?.data ?? []);
  return [
    ...screens.map(({ hint, ...place }) => (hint ? { ...place, more: hint } : place)),
    ...products.map(({ _id, title, source, finalPrice }) => ({
      to: paths.updateProduct(_id),
      name: title,
      more: `${source} · ${rupees(finalPrice)}`,
    })),
  ];
}

/** Returns the places that have each word: those with it in their names first. */
function matching(places: Place[], wanted: string): Place[] {
  const all = wanted.split(/\s+/);
  const has = (text: string) => all.every((word) => ` ${text.toLowerCase()}`.includes(` ${word}`));
  const byName = places.filter(({ name }) => has(name.replace(/^\w+: /, "")));
  const byWords = places.filter(
    (place) => !byName.includes(place) && has(`${place.name} ${place.words ?? ""}`),
  );
  return wanted === "" ? places : [...byName, ...byWords];
}
