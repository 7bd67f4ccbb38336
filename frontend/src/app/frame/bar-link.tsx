import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { Link } from "../../ui/link";

interface BarLinkProps {
  to: string;
  className: string;
  "aria-label"?: string;
  state?: unknown;
  children: ReactNode;
}

export function BarLink(props: BarLinkProps) {
  const here = useLocation().pathname === props.to;
  return <Link aria-current={here ? "page" : undefined} {...props} />;
}
