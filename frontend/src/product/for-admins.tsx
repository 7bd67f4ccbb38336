import { lazy, Suspense } from "react";
import { useSession } from "../session/session";
import type { AdminActionsProps } from "./admin-actions";

// Loaded for administrators only.
const AdminActions = lazy(() => import("./admin-actions"));

export function ForAdmins(props: AdminActionsProps) {
  const { isStaff } = useSession();
  return isStaff ? (
    <Suspense>
      <AdminActions {...props} />
    </Suspense>
  ) : null;
}
