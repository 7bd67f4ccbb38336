import { useState } from "react";
import type { Product } from "../../api/types";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { Confirm } from "../../ui/dialog";
import { Link } from "../../ui/link";
import { Menu } from "../../ui/menu";
import { MessageDialog } from "./message-dialog";
import { PostDialog } from "./posting/post-dialog";
import { useQueueDrafts } from "./posting/queue-drafts";
import type { RowAction } from "./row-changes";

interface RowMenuProps {
  product: Product;
  onAction: (product: Product, action: RowAction) => void;
}

export function RowMenu({ product, onAction }: RowMenuProps) {
  const { _id, title, state } = product;
  const [asking, setAsking] = useState(false);
  const [posting, setPosting] = useState(false);
  const queueDrafts = useQueueDrafts();
  const [sending, setSending] = useState(false);
  return (
    <>
      <Menu label={`More of ${title}`}>
        <Link role="menuitem" to={paths.updateProduct(_id)} state={{ product }}>
          Update
        </Link>
        <Link role="menuitem" to={paths.details(_id)}>
          View in the shop
        </Link>
        <Link role="menuitem" to={`${office.reports}?by=day&product=${encodeURIComponent(_id)}`}>
          Clicks by day
        </Link>
        {state === "live" && (
          <>
            <button type="button" role="menuitem" onClick={() => setPosting(true)}>
              Post now
            </button>
            <button type="button" role="menuitem" onClick={() => setSending(true)}>
              Send by WhatsApp
            </button>
          </>
        )}
        {state === "draft" && (
          <button type="button" role="menuitem" onClick={() => void queueDrafts([_id])}>
            Add to queue
          </button>
        )}
        {(state === "live" || state === "scheduled") && (
          <button type="button" role="menuitem" onClick={() => onAction(product, "end")}>
            End now
          </button>
        )}
        <button type="button" role="menuitem" className="text-danger" onClick={() => setAsking(true)}>
          Delete
        </button>
      </Menu>
      {posting && <PostDialog ids={[_id]} onClose={() => setPosting(false)} />}
      {sending && <MessageDialog ids={[_id]} onClose={() => setSending(false)} />}
      {asking && (
        <Confirm
          title="Delete this product?"
          confirm="Delete"
          onConfirm={() => {
            setAsking(false);
            onAction(product, "delete");
          }}
          onCancel={() => setAsking(false)}
        >
          <p>{title}</p>
          <p>You can undo this for a minute.</p>
        </Confirm>
      )}
    </>
  );
}
