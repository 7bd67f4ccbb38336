import { failureText } from "../api/failure";
import { paths } from "../lib/paths";
import { loading, ownerPageTitle, seeAllDeals } from "../texts/en.json";
import { ButtonLink } from "../ui/button";
import { Notice } from "../ui/notice";

/** Page whose content is not there yet, or could not be loaded. */
export function UnloadedPage({ error }: { error: unknown }) {
  return (
    <div className="py-6">
      <h1 tabIndex={-1} className="sr-only">
        {ownerPageTitle}
      </h1>
      {error === undefined ? (
        <p role="status">{loading}</p>
      ) : (
        <Notice title={failureText(error)}>
          <ButtonLink to={paths.listing}>{seeAllDeals}</ButtonLink>
        </Notice>
      )}
    </div>
  );
}
