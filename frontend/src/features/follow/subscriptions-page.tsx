import type { ReactNode } from "react";
import { useParams } from "react-router-dom";
import { useSubscription } from "../../api/subscription";
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
          <ul className="mails">
            {lists.map(({ id, heading, path, weekly, confirmed }) => {
              const often = weekly ? weeklyMail : dailyMail;
              return (
                <Row
                  key={id}
                  what="end"
                  id={id}
                  path={path}
                  name={heading}
                  when={often}
                  confirmed={confirmed}
                >
                  <Button type="submit" name="do" value={weekly ? "daily" : "weekly"}>
                    {weekly ? makeDaily : makeWeekly}
                  </Button>
                </Row>
              );
            })}
            {alerts.map(({ id, title, path, target, confirmed }) => {
              const price = fill(alertAt, { amount: shortRupees(target) });
              return (
                <Row
                  key={id}
                  what="end-alert"
                  id={id}
                  path={path}
                  name={title}
                  when={price}
                  confirmed={confirmed}
                />
              );
            })}
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

interface RowProps {
  /** The action that ends it. */
  what: "end" | "end-alert";
  id: number;
  path: string;
  name: string;
  /** When a mail comes. */
  when: string;
  confirmed: boolean;
  children?: ReactNode;
}

function Row({ what, id, path, name, when, confirmed, children }: RowProps) {
  return (
    <li>
      <form method="post">
        <input type="hidden" name="list" value={id} />
        <p>
          <Link to={path}>{name}</Link>
          <small>{`${when}${confirmed ? "" : ` · ${waitingMail}`}`}</small>
        </p>
        {children}
        <Button type="submit" variant="plain" name="do" value={what} aria-label={`${removeButton}: ${name}`}>
          {removeButton}
        </Button>
      </form>
    </li>
  );
}
