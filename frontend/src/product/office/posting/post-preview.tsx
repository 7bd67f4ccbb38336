import { failureText } from "../../../api/failure";
import { usePostPreview } from "../../../api/outgoing/channels";
import type { ChannelKind } from "../../../api/types";
import { count } from "../../../lib/rupees";
import { styled } from "./styled";

interface PostPreviewProps {
  kind: ChannelKind;
  template: string;
  /** Product that is posted; the newest deal if left out. */
  id?: string | undefined;
  label?: string;
}

/** A deal as it would be posted. */
export function PostPreview({ kind, template, id, label = "Preview" }: PostPreviewProps) {
  const { data, error } = usePostPreview(kind, template, id);
  return (
    <section aria-label={label} className="rounded border border-line bg-page p-3">
      {error ? (
        <p role="alert" className="text-sm text-danger">
          {failureText(error)}
        </p>
      ) : (
        data && (
          <>
            <p className="text-sm whitespace-pre-wrap wrap-anywhere">{styled(data.text, kind)}</p>
            <p className="hint pt-2 tabular">{`${count(data.length)} of ${count(data.most)} characters`}</p>
            {data.warnings.map((warning) => (
              <p key={warning} className="text-sm text-danger">
                {warning}
              </p>
            ))}
          </>
        )
      )}
    </section>
  );
}
