import { useFormikContext } from "formik";
import { useEffect, useState } from "react";
import { failureText } from "../../api/failure";
import { resolveLink, useReadLink } from "../../api/office/links";
import type { ReadLink } from "../../api/types";
import { office } from "../../lib/office-paths";
import type { ProductFormValues } from "../../schemas/product";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";

/** Says how the link will be stored, fills the seller's name, and resolves short links. */
export function LinkNote() {
  const { values, errors, touched, setFieldValue } = useFormikContext<ProductFormValues>();
  const link = values.affiliateLink.trim();
  const source = values.source.trim();
  const ready = touched.affiliateLink && link !== "" && !errors.affiliateLink;
  const { data } = useReadLink(ready ? link : null, source);
  const [resolved, setResolved] = useState<ReadLink>();
  const seller = data?.seller;
  useEffect(() => {
    if (seller && source === "") {
      void setFieldValue("source", seller);
    }
  }, [seller, source, setFieldValue]);
  return (
    <div role="status" className="empty:hidden text-sm text-ink-2">
      {resolved?.link === link && <Replaced tag={resolved.replacedTag} />}
      {data && <Kept data={data} />}
      {data && <Stored data={data} as={link} />}
      {data?.short && data.network === null && (
        <Resolve key={link} link={link} source={source} onResolved={setResolved} />
      )}
    </div>
  );
}

function Stored({ data, as }: { data: ReadLink; as: string }) {
  if (data.link === as) {
    return null;
  }
  const { link, network, replacedTag } = data;
  return (
    <>
      {network !== null && <p>A link of {network} becomes the shop's own, with your tag.</p>}
      <Replaced tag={replacedTag} />
      <p className="break-all">Saved as {link}</p>
    </>
  );
}

/** Warns of a link that pays somebody else. */
function Kept({ data: { keptTag, seller } }: { data: ReadLink }) {
  return keptTag === null ? null : (
    <p className="font-semibold text-danger">
      This link has someone’s tag ({keptTag}). If it isn’t yours, you earn nothing.{" "}
      <Link to={office.sources} className="link">
        Set your tag for {seller ?? "this seller"}
      </Link>
    </p>
  );
}

function Replaced({ tag }: { tag: string | null }) {
  return tag === null ? null : <p>The tag {tag} is replaced by yours.</p>;
}

interface ResolveProps {
  link: string;
  source: string;
  onResolved: (read: ReadLink) => void;
}

function Resolve({ link, source, onResolved }: ResolveProps) {
  const { setFieldValue } = useFormikContext<ProductFormValues>();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const resolve = async () => {
    setPending(true);
    setFailure(undefined);
    try {
      const read = await resolveLink(link, source);
      onResolved(read);
      await setFieldValue("affiliateLink", read.link);
    } catch (error) {
      setFailure(failureText(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <p>A short link. Press Resolve to see where it leads.</p>
      <Button className="my-1" disabled={pending} onClick={() => void resolve()}>
        {pending ? "Resolving..." : "Resolve"}
      </Button>
      {failure !== undefined && <p className="text-danger">{failure}</p>}
    </>
  );
}
