import { useOverview } from "../../api/office/overview";
import { useOwnPictures } from "../../api/office/pictures";
import { counted } from "../../lib/rupees";
import { TestMail } from "./test-mail";

export function Running() {
  const { data } = useOverview();
  const steps = data?.setup.filter(({ key }) => ["mail", "address", "backup"].includes(key)) ?? [];
  return (
    <section className="panel" id="running" aria-labelledby="running-title">
      <h2 id="running-title">Running</h2>
      <p className="hint">Set when the server starts. `deals check` tests all of them.</p>
      <ul className="todo">
        {steps.map(({ key, title, hint, done }) => (
          <li key={key}>
            <div>
              {title}: {done ? "done" : "to do"}
              {!done && <small>{hint}</small>}
            </div>
          </li>
        ))}
      </ul>
      <OwnPictures />
      <TestMail />
    </section>
  );
}

/** Number and size of the shop's own pictures. */
function OwnPictures() {
  const { data } = useOwnPictures();
  if (!data || data.pictures === 0) {
    return null;
  }
  const megabytes = (data.bytes / 1_000_000).toFixed(1);
  const percent = Math.round((data.bytes / data.databaseBytes) * 100);
  return (
    <p className="hint">
      {`${counted(data.pictures, "picture", "pictures")} of ${megabytes} MB, ${percent} % of the database. Those that no deal has are deleted after 7 days.`}
    </p>
  );
}
