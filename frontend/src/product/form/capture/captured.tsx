import { getIn, useFormikContext } from "formik";
import { Fragment, useEffect, useRef } from "react";
import type { ProductFormValues } from "../../../schemas/product";
import { fields } from "../../../shop/fields.json";
import { Button } from "../../../ui/button";
import { Link } from "../../../ui/link";
import { UploadState } from "../pictures/picture-upload";
import { usePictureUpload } from "../pictures/use-picture-upload";
import type { Deal } from "./deal";
import { sellerAt } from "./shops";
import { forgetPhoto, sharedPhoto } from "./waiting";

/** Fields that every new deal needs, in the order of the form. */
const NEEDED = ["title", "description", "price", "category", "source", "affiliateLink", "images.0"] as const;

function fieldOf(name: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`form [name="${name}"]`);
}

interface CapturedProps {
  deal: Deal;
  /** The answer is there, which category similar deals suggest. */
  settled: boolean;
  /** They suggest one. */
  hasCategory: boolean;
}

/** Uploads the photos that were shared with a deal. */
function useSharedPhotos(ids: readonly string[]) {
  const { upload, ...state } = usePictureUpload();
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) {
      return;
    }
    begun.current = true;
    void (async () => {
      for (const id of ids) {
        const photo = await sharedPhoto(id);
        if (photo && (await upload([photo]))) {
          await forgetPhoto(id);
        }
      }
    })();
  });
  return state;
}

/** Says what came from outside and what is missing, and moves the focus there. */
export function Captured({ deal, settled, hasCategory }: CapturedProps) {
  const { values, setValues } = useFormikContext<ProductFormValues>();
  const photos = useSharedPhotos(deal.photos);
  const panel = useRef<HTMLElement>(null);
  const missing = NEEDED.filter((name) => getIn(values, name) === "");
  const first = missing.find((name) => name !== "category" || !hasCategory);
  const focused = useRef(false);
  useEffect(() => {
    if (settled && !focused.current) {
      focused.current = true;
      const field = first && fieldOf(first);
      (field || panel.current)?.focus();
    }
  }, [settled, first]);
  return (
    <section ref={panel} tabIndex={-1} aria-label="Captured deal" className="panel mb-4 text-sm">
      <p role="status">{deal.sentence}</p>
      {deal.page !== undefined && (
        <a href={deal.page} target="_blank" rel="noreferrer" className="btn justify-self-start">
          Open its page
        </a>
      )}
      {deal.own !== undefined && (
        <Link to={`/update-product/${deal.own}`} className="link">
          Open that deal
        </Link>
      )}
      {deal.links.length > 1 && (
        <ul className="grid gap-2">
          {deal.links.map((link) => (
            <li key={link}>
              <Button
                aria-pressed={values.affiliateLink === link}
                className="w-full justify-start aria-pressed:border-accent aria-pressed:bg-accent-bg"
                onClick={() => void setValues({ ...values, affiliateLink: link, source: sellerAt(link) })}
              >
                <span className="truncate">{link}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <UploadState {...photos} />
      <p className="text-ink-2">
        {missing.length === 0 && "Everything is filled in."}
        {missing.map((name, index) => (
          <Fragment key={name}>
            {index === 0 ? "Still to fill in: " : ", "}
            <button type="button" className="link min-h-6" onClick={() => fieldOf(name)?.focus()}>
              {name === "images.0" ? "Picture 1" : fields[name].label}
            </button>
          </Fragment>
        ))}
        {missing.length > 0 && "."}
      </p>
    </section>
  );
}
