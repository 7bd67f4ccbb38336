import type { Overview } from "../../../api/types";
import { office } from "../../../lib/office-paths";
import { paths } from "../../../lib/paths";
import { share } from "../../../lib/share";
import { useShop } from "../../../shop/shop";
import { Button, ButtonLink } from "../../../ui/button";
import { useToast } from "../../../ui/toast/toast";

/** Buttons below a step. */
export const ACTIONS = "flex flex-wrap gap-2 border-line border-t pt-4";

/** Follows the last step. */
export function Finish({ overview: { setup, publicUrl } }: { overview: Overview }) {
  const { name } = useShop();
  const toast = useToast();
  const left = setup.filter((step) => !step.done);
  const isPublic = !left.some(({ key }) => key === "address");
  const copy = async () => {
    try {
      if ((await share(name, publicUrl)) === "copied") {
        toast({ title: "Link copied" });
      }
    } catch {
      toast({ title: "The link could not be copied", description: publicUrl, failure: true });
    }
  };
  return (
    <section aria-labelledby="step" className="pane stack gap-4">
      <h2 id="step" tabIndex={-1} className="display text-lg">
        {left.length === 0 ? "Your shop is open" : "That is all for now"}
      </h2>
      <p>
        {isPublic ? "Its link, to share:" : "Its link, which works on this machine until it has its address:"}{" "}
        <b className="break-all">{publicUrl}</b>
      </p>
      {left.length > 0 && (
        <p className="hint">
          {`Still to do: ${left.map((step) => step.title.toLowerCase()).join(", ")}. The list stays on Today.`}
        </p>
      )}
      <div className={ACTIONS}>
        <Button variant="primary" onClick={() => void copy()}>
          Share its link
        </Button>
        <ButtonLink to={paths.listing}>See your shop</ButtonLink>
        <ButtonLink to={office.channels}>Post deals to Telegram</ButtonLink>
        <ButtonLink to={paths.admin}>Go to Today</ButtonLink>
      </div>
    </section>
  );
}
