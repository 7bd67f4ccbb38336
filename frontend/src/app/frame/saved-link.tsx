import heart from "icon:heart";
import type { ReactNode } from "react";
import { useSaved } from "../../lib/device/saved";
import { paths } from "../../lib/paths";
import { savedLink, savedLinkCount } from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { Icon } from "../../ui/icon";
import { BarLink } from "./bar-link";

/** Leads to the deals that are saved on the device, with their number. */
export function SavedLink({ className, children }: { className: string; children?: ReactNode }) {
  const saved = useSaved().length;
  return (
    <BarLink
      to={paths.saved}
      className={`${className} needs-script`}
      aria-label={saved === 0 ? savedLink : fill(savedLinkCount, { count: saved })}
    >
      <Icon of={heart} />
      {(children !== undefined || saved > 0) && (
        <span>
          {children}
          {saved > 0 && ` ${saved}`}
        </span>
      )}
    </BarLink>
  );
}
