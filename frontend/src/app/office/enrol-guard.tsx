import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { SWRConfig } from "swr";
import { ApiError } from "../../api/client";
import { FROM_OFFICE, paths } from "../../lib/paths";

/** Leads an administrator who lacks a required second factor to set one up. */
export function EnrolGuard({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.code === "second_factor_missing") {
      void navigate(`${paths.profile}#second-factor`, { replace: true, state: FROM_OFFICE });
    }
  };
  return <SWRConfig value={{ onError }}>{children}</SWRConfig>;
}
