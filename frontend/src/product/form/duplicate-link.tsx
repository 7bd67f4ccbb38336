import { useFormikContext } from "formik";
import { useProductByLink } from "../../api/office/catalogue";
import { paths } from "../../lib/paths";
import type { ProductFormValues } from "../../schemas/product";
import { Link } from "../../ui/link";

export function DuplicateLink({ own }: { own: string | undefined }) {
  const { values, errors, touched } = useFormikContext<ProductFormValues>();
  const ready = touched.affiliateLink && !errors.affiliateLink && !errors.source;
  const product = useProductByLink(
    ready ? { source: values.source.trim(), link: values.affiliateLink.trim() } : null,
  ).data?.product;
  return (
    <div role="status" className="empty:hidden">
      {product && product._id !== own && (
        <p className="font-semibold text-danger text-sm">
          A deal with this link already exists:{" "}
          <Link to={paths.details(product._id)} target="_blank" className="rounded text-accent underline">
            {product.title}
          </Link>
        </p>
      )}
    </div>
  );
}
