import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import useSWR from "swr";
import { failureText } from "../../api/failure";
import { plainHttp } from "../../lib/constants.json";
import { paths } from "../../lib/paths";
import { useShop } from "../../shop/shop";
import { Button, ButtonLink } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { Screen } from "../../ui/screen";

interface SecretLinkProps<T> {
  title: string;
  /** Asks the server about the secret; fails if the link is not valid. */
  check: (secret: string) => Promise<T>;
  /** Shown when the address has no secret. */
  missing: { title: string; remedy: string };
  children: (secret: string, found: T) => ReactNode;
}

/** A screen opened by a link with a secret after the #, which reaches no log. */
export function SecretLink<T>({ title, ...rest }: SecretLinkProps<T>) {
  const { httpSignIn } = useShop();
  const secret = useLocation().hash.slice(1);
  // The secret must not go over a line that others can read.
  const insecure = window.isSecureContext === false && !httpSignIn;
  return (
    <Screen title={title}>
      {insecure ? (
        <Refused title="This page needs https.">{plainHttp}</Refused>
      ) : (
        <Checked key={secret} secret={secret} {...rest} />
      )}
    </Screen>
  );
}

function Checked<T>({
  secret,
  check,
  missing,
  children,
}: Omit<SecretLinkProps<T>, "title"> & { secret: string }) {
  const { data, error, isValidating, mutate } = useSWR(
    secret === "" ? null : [missing.title, secret],
    () => check(secret),
    { revalidateOnFocus: false, revalidateOnReconnect: false },
  );
  if (secret === "") {
    return <Refused title={missing.title}>{missing.remedy}</Refused>;
  }
  if (data) {
    return children(secret, data);
  }
  if (error) {
    return (
      <Refused
        title="This link can't be used."
        action={
          <Button disabled={isValidating} onClick={() => void mutate()}>
            Try again
          </Button>
        }
      >
        {failureText(error)}
      </Refused>
    );
  }
  return (
    <p role="status" className="text-sm text-ink-3">
      Loading...
    </p>
  );
}

function Refused({ title, action, children }: { title: string; action?: ReactNode; children: string }) {
  return (
    <div role="alert">
      <Notice title={title}>
        <p className="hint max-w-[36rem]">{children}</p>
        <div className="flex flex-wrap gap-2">
          {action}
          <ButtonLink to={paths.listing}>Go to the shop</ButtonLink>
        </div>
      </Notice>
    </div>
  );
}
