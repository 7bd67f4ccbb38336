import { lazy, Suspense, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "../../lib/paths";
import { useArrival } from "../../product/form/capture/arrival";
import { AddForm } from "./add-form";

// Reading a deal from outside is not for the empty form.
const CapturedDeal = lazy(() => import("./captured-deal"));

/** The form of a new deal, empty or with what came from outside. */
export function AddProductPage() {
  const fields = useArrival();
  const [added, setAdded] = useState(0);
  const navigate = useNavigate();
  const { state } = useLocation();
  const addAnother = () => {
    void navigate(paths.addProduct, { replace: true, state });
    setAdded(added + 1);
  };
  const form = { fields, next: added > 0, onAnother: addAnother };
  const key = `${added} ${fields}`;
  return fields === "" ? (
    <AddForm key={key} {...form} />
  ) : (
    <Suspense>
      <CapturedDeal key={key} {...form} />
    </Suspense>
  );
}
