import { useFormikContext } from "formik";
import { useProductByLink } from "../../api/office/catalogue";
import { paths } from "../../lib/paths";
import type { ProductFormValues } from "../../schemas/product";
import { Link } from "../../ui/link";

/** Warns of a product that has the same link, and forbids nothing. */
export function DuplicateLink({ own }: { own: string | undefined }) {
  const { values, errors, touched } = useFormikContext<ProductFormValues>();
  const ready = touched.affiliateLink && !errors.affiliateLink && !errors.source;
  const { data } = useProductByLink(
    ready ? { source: values.source.trim(), link: values.affiliateLink.trim() } : null,
  );
  return (
    <div role="status" className="empty:hidden">
      {data && data._id !== own && (
        <p className="text-sm text-ink-2">
          This link is there already:{" "}
          <Link to={paths.details(data._id)} target="_blank" className="rounded text-accent underline">
            {data.title}
          </Link>
        </p>
      )}
    </div>
  );
}
