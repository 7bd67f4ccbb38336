import { type FormEvent, useId, useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { verifyCode } from "../../api/accounts";
import { ApiError } from "../../api/client";
import { codeLength } from "../../lib/constants.json";
import { store, stored } from "../../lib/device/storage";
import { paths } from "../../lib/paths";
import { registrationOf } from "../../session/handles";
import { NoMail } from "../../session/no-mail";
import { ResendButton } from "../../session/resend-button";
import { useTypedPassword } from "../../session/typed-password";
import { useShop } from "../../shop/shop";
import { Button } from "../../ui/button";
import { CodeInput } from "../../ui/form/code-input";
import { Screen } from "../../ui/screen";
import { useToast } from "../../ui/toast/toast";

export function VerifyOtpPage() {
  const { email = "" } = useParams();
  const navigate = useNavigate();
  const toast = useToast();
  const { noMail } = useShop();
  const signIn = useTypedPassword();
  const label = useId();
  const [code, setCode] = useState("");
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string>();

  const verify = async (typed: string) => {
    if (pending) {
      return;
    }
    setPending(true);
    setError(undefined);
    try {
      await verifyCode(email, typed, stored(registrationOf(email)));
      store(registrationOf(email), null);
      const signedIn = await signIn(email);
      toast({
        title: "Your account is ready",
        description: signedIn ? "You are signed in." : "You can sign in now.",
      });
      // The login redirects users who are signed in.
      navigate(paths.login, { replace: true, state: { email } });
    } catch (failure) {
      const answered = failure instanceof ApiError && !failure.unreachable;
      setError(answered ? failure.message : "Failed to verify OTP. Please try again.");
      setCode("");
    } finally {
      setPending(false);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length === codeLength) {
      void verify(code);
    } else {
      setError("Please enter the 6-digit code.");
    }
  };

  return (
    <Screen title="Verify your account" isForm>
      <form onSubmit={submit} className="flex max-w-[30rem] flex-col gap-4" noValidate>
        <div>
          <div className="pb-2 text-base">{noMail === undefined ? <Mailed to={email} /> : <NoMail />}</div>
          <p id={label} className="text-sm text-ink-2">
            Enter the 6-digit code sent to your phone
          </p>
        </div>
        <CodeInput
          value={code}
          onChange={setCode}
          onComplete={(typed) => void verify(typed)}
          invalid={error !== undefined}
          labelledBy={label}
          autoFocus
        />
        <p role="alert" className="text-sm text-danger empty:hidden">
          {error}
        </p>
        <Button type="submit" variant="primary" disabled={pending} className="wide:min-h-11">
          {pending ? "Verifying..." : "Verify"}
        </Button>
        <ResendButton email={email} />
      </form>
    </Screen>
  );
}

function Mailed({ to }: { to: string }) {
  return (
    <p>
      We mailed a code to <strong className="font-semibold break-all text-ink">{to}</strong>.
    </p>
  );
}
