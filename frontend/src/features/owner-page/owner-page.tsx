import { useParams } from "react-router-dom";
import { useOwnerPage } from "../../api/owner-page";
import { UnloadedPage } from "../../product/unloaded-page";
import { PageTitle } from "../../shop/shop";

export function OwnerPage() {
  const { slug = "" } = useParams();
  const { data, error } = useOwnerPage(slug);
  if (data) {
    return (
      <article className="prose">
        <PageTitle of={data.title} />
        <h1 tabIndex={-1}>{data.title}</h1>
        {/* Made by the server from Markdown, without raw HTML (src/storefront/markdown.rs). */}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: as above */}
        <div dangerouslySetInnerHTML={{ __html: data.html }} />
      </article>
    );
  }
  return <UnloadedPage error={error} />;
}
