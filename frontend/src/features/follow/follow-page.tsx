import { useSearchParams } from "react-router-dom";
import { paths } from "../../lib/paths";
import { heading } from "../../product/list/headings";
import { feedAddress, followAddress, listAddress, readQuery } from "../../product/list-state";
import { useCategoryNames, useCollectionName } from "../../shop/categories";
import { channelsOf, PageTitle, useShop } from "../../shop/shop";
import {
  allDeals,
  atomFeed,
  dailyMail,
  emailLabel,
  followAllDeals,
  followAsked,
  followBack,
  followBadAddress,
  followButton,
  followByFeed,
  followByFeedHint,
  followByMail,
  followDeals,
  followInChannels,
  followInChannelsHint,
  followNote,
  followOften,
  followOn,
  followOneDeal,
  followOneDealHint,
  followSet,
  followTooMany,
  jsonFeed,
  savedLink,
  weeklyMail,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";

/** Follows a list in the shop's channels, by mail or by feed. Its form is sent as without JavaScript. */
export function FollowPage() {
  const [parameters] = useSearchParams();
  const query = readQuery(parameters, undefined, useCategoryNames());
  const deals = heading(query, useCollectionName(query.collection));
  const problem = parameters.get("problem");
  const sent = parameters.get("sent");
  const shop = useShop();
  const { noMail } = shop;
  const channels = channelsOf(shop);
  const title = deals === allDeals ? followAllDeals : fill(followDeals, { deals });
  return (
    <article className="prose">
      <PageTitle of={title} />
      <h1 tabIndex={-1}>{title}</h1>
      <p>
        <Link to={listAddress(query)}>{followBack}</Link>
      </p>
      {channels.length > 0 && (
        <>
          <h2>{followInChannels}</h2>
          <p>{followInChannelsHint}</p>
          <ul>
            {channels.map(([channel, address]) => (
              <li key={channel}>
                <a href={address} target="_blank" rel="noopener">
                  {fill(followOn, { channel })}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      {!noMail && (
        <>
          <h2>{followByMail}</h2>
          {problem !== null && (
            <p role="alert" id="problem">
              {problem === "address" ? followBadAddress : followTooMany}
            </p>
          )}
          {sent !== null ? (
            <p role="status">{sent === "own" ? followSet : followAsked}</p>
          ) : (
            <form method="post" action={followAddress(query)}>
              <label>
                {emailLabel}
                <input
                  type="email"
                  name="email"
                  autoComplete="email"
                  required
                  maxLength={254}
                  aria-describedby={problem === null ? undefined : "problem"}
                />
              </label>
              <label>
                {followOften}
                <select name="often">
                  <option value="daily">{dailyMail}</option>
                  <option value="weekly">{weeklyMail}</option>
                </select>
              </label>
              <Button type="submit" variant="primary">
                {followButton}
              </Button>
              <p>{followNote}</p>
            </form>
          )}
        </>
      )}
      <h2>{followOneDeal}</h2>
      <p>{followOneDealHint}</p>
      <p>
        <Link to={paths.saved}>{savedLink}</Link>
      </p>
      <h2>{followByFeed}</h2>
      <p>{followByFeedHint}</p>
      <ul>
        <li>
          <a href={feedAddress(query)}>{atomFeed}</a>
        </li>
        <li>
          <a href={feedAddress(query, "/feed.json")}>{jsonFeed}</a>
        </li>
      </ul>
    </article>
  );
}
