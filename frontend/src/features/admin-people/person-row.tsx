import { useState } from "react";
import { failureText } from "../../api/failure";
import { usePeopleChanges } from "../../api/office/people";
import type { Person } from "../../api/types";
import { day } from "../../lib/day";
import { FROM_OFFICE, paths } from "../../lib/paths";
import { ago } from "../../lib/time";
import { useSession } from "../../session/session";
import { ButtonLink } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Menu } from "../../ui/menu";
import { useToast } from "../../ui/toast/toast";
import { ROLES, roleName } from "./roles";

/** Action of an administrator on an account; one with a question is confirmed first. */
interface Act {
  label: string;
  run: () => Promise<unknown>;
  /** Text of the toast afterwards. */
  done: string;
  /** The account or invitation ends. */
  ends?: true;
  question?: { title: string; confirm: string; text: string } | undefined;
}

/** An account or an open invitation, with a menu of actions. */
export function PersonRow({ of: person }: { of: Person }) {
  const { user } = useSession();
  const acts = useActs(person);
  const [asked, setAsked] = useState<Act>();
  const toast = useToast();
  const name = nameOf(person);
  const start = async (act: Act) => {
    setAsked(undefined);
    try {
      await act.run();
      toast({ title: act.done });
      // The row may be gone, and the focus with it.
      if (act.question) {
        document.querySelector("h1")?.focus();
      }
    } catch (failure) {
      toast({ title: failureText(failure), failure: true });
    }
  };
  return (
    <li className="line items-center gap-2">
      <div className="min-w-0">
        <p>
          <b className="break-words">{name}</b> <Role of={person} />
        </p>
        {name !== person.email && <p className="quiet break-words">{person.email}</p>}
        <p className="quiet">
          <Facts of={person} />
        </p>
        {person.delayed && <p className="quiet">Delayed after wrong passwords: unlock, or wait.</p>}
      </div>
      {person._id === user?._id ? (
        // One's own role and account: nobody locks themselves out by mistake.
        <ButtonLink to={paths.profile} state={FROM_OFFICE}>
          Your profile
        </ButtonLink>
      ) : (
        <Menu label={`More of ${name}`}>
          {acts.map((act) => (
            <button
              key={act.label}
              type="button"
              role="menuitem"
              className={act.ends ? "text-danger" : undefined}
              onClick={() => (act.question ? setAsked(act) : void start(act))}
            >
              {act.label}
            </button>
          ))}
        </Menu>
      )}
      {asked?.question && (
        <Confirm
          title={asked.question.title}
          confirm={asked.question.confirm}
          onConfirm={() => void start(asked)}
          onCancel={() => setAsked(undefined)}
        >
          <p className="pb-1 break-words">{person.email}</p>
          <p>{asked.question.text}</p>
        </Confirm>
      )}
    </li>
  );
}

function nameOf(person: Person): string {
  return person.username || person.email;
}

function useActs(person: Person): Act[] {
  const { change, remove } = usePeopleChanges();
  const name = nameOf(person);
  if (person.invitedUntil !== null) {
    return [
      {
        label: "Withdraw the invitation",
        run: () => remove(person),
        done: `The invitation of ${name} is withdrawn`,
        ends: true,
        question: {
          title: `Withdraw the invitation of ${name}?`,
          confirm: "Withdraw",
          text: "The link stops working at once.",
        },
      },
    ];
  }
  const acts: Act[] = ROLES.filter(({ role }) => role !== person.Role).map(({ role, name: to }) => ({
    label: `Make ${to.toLowerCase()}`,
    run: () => change(person, { role }),
    done: `${name} is now ${to.toLowerCase()}`,
    question:
      role === "admin"
        ? {
            title: `Make ${name} an administrator?`,
            confirm: "Make administrator",
            text: "Administrators may do everything: settings, keys, people, and remove you.",
          }
        : undefined,
  }));
  if (person.sessions > 0) {
    const run = () => change(person, { signOut: true });
    acts.push({ label: "Logout everywhere", run, done: `${name} is signed out` });
  }
  if (person.delayed) {
    const run = () => change(person, { unlock: true });
    acts.push({ label: "Unlock", run, done: `${name} may sign in now` });
  }
  acts.push({
    label: "Delete",
    run: () => remove(person),
    done: `${name} is deleted`,
    ends: true,
    question: {
      title: `Delete ${name}?`,
      confirm: "Delete",
      text: "The account, its sessions and its API keys are deleted at once. Deals stay.",
    },
  });
  return acts;
}

function Role({ of: person }: { of: Person }) {
  return <span className="text-sm text-ink-3">{roleName(person.Role)}</span>;
}

function Facts({ of: person }: { of: Person }) {
  if (person.invitedUntil !== null) {
    return (
      <>
        Invited until <time dateTime={person.invitedUntil}>{day(person.invitedUntil)}</time>
      </>
    );
  }
  const sessions = person.sessions === 1 ? "1 session" : `${person.sessions} sessions`;
  return (
    <>
      Since <time dateTime={person.createdAt}>{day(person.createdAt)}</time> ·{" "}
      {person.lastSeenAt === null ? (
        "not signed in"
      ) : (
        <>
          seen <time dateTime={person.lastSeenAt}>{ago(person.lastSeenAt)}</time> · {sessions}
        </>
      )}
    </>
  );
}
