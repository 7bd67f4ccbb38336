import { useParams } from "react-router-dom";
import { type FollowedList, type PriceAlert, useSubscription } from "../../api/subscription";
import { paths } from "../../lib/paths";
import { shortRupees } from "../../lib/rupees";
import { UnloadedPage } from "../../product/unloaded-page";
import { PageTitle } from "../../shop/shop";
import {
  alertAt,
  confirmMails,
  confirmMailsHint,
  dailyMail,
  leaveMails,
  leaveMailsHint,
  makeDaily,
  makeWeekly,
  noMails,
  removeButton,
  seeAllDeals,
  waitingMail,
  weeklyMail,
  yourMails,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";

/** Lists and alerts of an address. Its forms are sent as without JavaScript. */
export function SubscriptionsPage() {
  const { token = "" } = useParams();
  const { data, error } = useSubscription(token);
  if (data === undefined) {
    return <UnloadedPage error={error} />;
  }
  const { lists, alerts } = data;
  const isWaiting = [...lists, ...alerts].some(({ confirmed }) => !confirmed);
  return (
    <article className="prose">
      <PageTitle of={yourMails} />
      <h1 tabIndex={-1}>{yourMails}</h1>
      {lists.length + alerts.length === 0 ? (
        <>
          <p role="status">{noMails}</p>
          <p>
            <Link to={paths.listing}>{seeAllDeals}</Link>
          </p>
        </>
      ) : (
        <>
          {isWaiting && (
            <form method="post">
              <p>{confirmMailsHint}</p>
              <Button type="submit" variant="primary" name="do" value="confirm">
                {confirmMails}
              </Button>
            </form>
          )}
          <ul>
            {lists.map((list) => (
              <ListRow key={list.id} list={list} />
            ))}
            {alerts.map((alert) => (
              <AlertRow key={alert.id} alert={alert} />
            ))}
          </ul>
          <form method="post">
            <p>{leaveMailsHint}</p>
            <Button type="submit" name="do" value="leave">
              {leaveMails}
            </Button>
          </form>
        </>
      )}
    </article>
  );
}

function ListRow({ list: { id, heading, path, weekly, confirmed } }: { list: FollowedList }) {
  return (
    <li>
      <form method="post">
        <input type="hidden" name="list" value={id} />
        <Link to={path}>{heading}</Link>
        {` · ${weekly ? weeklyMail : dailyMail}${confirmed ? "" : ` · ${waitingMail}`}`}
        <p>
          <Button type="submit" name="do" value={weekly ? "daily" : "weekly"}>
            {weekly ? makeDaily : makeWeekly}
          </Button>
          <Button
            type="submit"
            variant="plain"
            name="do"
            value="end"
            aria-label={`${removeButton}: ${heading}`}
          >
            {removeButton}
          </Button>
        </p>
      </form>
    </li>
  );
}

function AlertRow({ alert: { id, title, path, target, confirmed } }: { alert: PriceAlert }) {
  return (
    <li>
      <form method="post">
        <input type="hidden" name="list" value={id} />
        <Link to={path}>{title}</Link>
        {` · ${fill(alertAt, { amount: shortRupees(target) })}${confirmed ? "" : ` · ${waitingMail}`}`}
        <p>
          <Button
            type="submit"
            variant="plain"
            name="do"
            value="end-alert"
            aria-label={`${removeButton}: ${title}`}
          >
            {removeButton}
          </Button>
        </p>
      </form>
    </li>
  );
}
