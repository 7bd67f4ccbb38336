import box from "icon:archive";
import clock from "icon:clock";
import copy from "icon:copy";
import flag from "icon:flag";
import picture from "icon:image-off";
import mail from "icon:mail";
import pointer from "icon:mouse-pointer-click";
import plug from "icon:plug";
import { useNeeds, useTasks } from "../../api/office/overview";
import { office } from "../../lib/office-paths";
import type { RowChanges } from "../../product/office/deal-row";
import { Button } from "../../ui/button";
import { type Drawing, Icon } from "../../ui/icon";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { Block } from "../../ui/office-screen";
import { Tasks } from "./tasks";

const LEADS: Record<string, { to: string; name: string; icon: Drawing }> = {
  mail: { to: `${office.settings}#running`, name: "Test", icon: mail },
  backup: { to: `${office.settings}#running`, name: "How", icon: box },
  source: { to: office.sources, name: "Choose", icon: plug },
  over: { to: `${office.products}?view=over`, name: "Show", icon: flag },
  price: { to: `${office.products}?view=old-price`, name: "Show", icon: clock },
  picture: { to: `${office.products}?view=pictures`, name: "Show", icon: picture },
  duplicate: { to: `${office.products}?view=duplicates`, name: "Show", icon: copy },
  clicks: { to: `${office.products}?view=no-clicks`, name: "Show", icon: pointer },
};

export function Needs({ changes }: { changes: RowChanges }) {
  const { data, error, mutate } = useNeeds();
  const { data: tasks, error: tasksError, mutate: mutateTasks } = useTasks();
  const number = (data?.data.length ?? 0) + (tasks?.data.length ?? 0);
  const failed = (error && !data) || (tasksError && !tasks);
  const retry = () => {
    void mutate();
    void mutateTasks();
  };
  return (
    <Block title="To do" note={number > 0 ? String(number) : undefined}>
      {failed && (
        <Notice title="Failed to load what is to do">
          <Button onClick={retry}>Retry</Button>
        </Notice>
      )}
      {data && tasks && number === 0 && <p className="hint">Nothing. All is well.</p>}
      {tasks && tasks.data.length > 0 && <Tasks tasks={tasks.data} changes={changes} />}
      <ul className="todo">
        {data?.data.map(({ key, text, details }) => {
          const lead = LEADS[key];
          return (
            <li key={key}>
              {lead && <Icon of={lead.icon} />}
              <div>
                {text}
                {details !== "" && <small>{details}</small>}
              </div>
              {lead && (
                <Link to={lead.to} className="link" aria-label={`${lead.name}: ${text}`}>
                  {lead.name}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </Block>
  );
}
