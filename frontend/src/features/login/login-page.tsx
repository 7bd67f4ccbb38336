import { useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { paths } from "../../lib/paths";
import { useSession } from "../../session/session";
import { Link } from "../../ui/link";
import { Screen } from "../../ui/screen";
import { LoginForm } from "./login-form";

export function LoginPage() {
  const { status } = useSession();
  const navigate = useNavigate();
  const state = useLocation().state as { from?: string; email?: string } | null;
  const from = state?.from ?? paths.listing;
  const [email, setEmail] = useState(state?.email ?? "");
  if (status === "in") {
    return <Navigate to={from} replace />;
  }
  return (
    <Screen title="Login" isForm>
      <LoginForm
        email={state?.email ?? ""}
        onEmail={setEmail}
        onDone={() => navigate(from, { replace: true })}
      >
        <p className="text-sm text-ink-2">
          <Link to={paths.forgotPassword} state={{ email }} className="rounded text-accent underline">
            Forgot your password?
          </Link>
        </p>
        <p className="text-sm text-ink-2">
          No account yet?{" "}
          <Link to={paths.register} state={{ email }} className="rounded text-accent underline">
            Register
          </Link>
        </p>
      </LoginForm>
    </Screen>
  );
}
