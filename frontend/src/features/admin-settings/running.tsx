import { useOverview } from "../../api/office/overview";
import { TestMail } from "./test-mail";

export function Running() {
  const { data } = useOverview();
  const steps = data?.setup.filter(({ key }) => ["mail", "address", "backup"].includes(key)) ?? [];
  return (
    <section className="panel" id="running" aria-labelledby="running-title">
      <h2 id="running-title">Running</h2>
      <p className="hint">Set when the server starts. `deals check` tests all of them.</p>
      <ul>
        {steps.map(({ key, title, hint, done }) => (
          <li key={key} className="line grid-cols-1">
            <div>
              {title}: {done ? "done" : "to do"}
              {!done && <small className="block">{hint}</small>}
            </div>
          </li>
        ))}
      </ul>
      <TestMail />
    </section>
  );
}
