import { useParams } from "react-router-dom";
import { failureText } from "../../api/failure";
import { useOwnerPage } from "../../api/owner-page";
import { paths } from "../../lib/paths";
import { PageTitle } from "../../shop/shop";
import { loading, ownerPageTitle, seeAllDeals } from "../../texts/en.json";
import { ButtonLink } from "../../ui/button";
import { Notice } from "../../ui/notice";

export function OwnerPage() {
  const { slug = "" } = useParams();
  const { data, error } = useOwnerPage(slug);
  if (data) {
    return (
      <article className="prose">
        <PageTitle of={data.title} />
        <h1 tabIndex={-1}>{data.title}</h1>
        {/* Made by the server from Markdown, without raw HTML (src/http/markdown.rs). */}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: as above */}
        <div dangerouslySetInnerHTML={{ __html: data.html }} />
      </article>
    );
  }
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
