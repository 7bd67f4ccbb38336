import { useLocation } from "react-router-dom";
import type { User } from "../../api/types";
import { day } from "../../lib/day";
import { isFromOffice, paths } from "../../lib/paths";
import { useSession } from "../../session/session";
import { useSignOut } from "../../session/use-sign-out";
import { Button, ButtonLink } from "../../ui/button";
import { OfficeScreen } from "../../ui/office-screen";
import { Screen } from "../../ui/screen";
import { ChangePassword } from "./change-password";
import { DeleteAccount } from "./delete-account";
import { ProfileSection } from "./profile-section";
import { SecondFactor } from "./second-factor/second-factor";
import { Sessions } from "./sessions";

const ROLES: Record<User["Role"], string> = { admin: "Administrator", editor: "Editor", user: "User" };

export function ProfilePage() {
  const { user, isStaff } = useSession();
  const signOut = useSignOut();
  const inOffice = isFromOffice(useLocation().state);
  const Frame = inOffice ? OfficeScreen : Screen;
  if (!user) {
    return null;
  }
  return (
    <Frame title="Profile">
      <div className="grid max-w-[66rem] grid-cols-1 items-start gap-4 wide:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          <ProfileSection title="Your account">
            <dl className="facts">
              {[
                ["Username", user.username],
                ["Email", user.email],
                ["Role", ROLES[user.Role]],
                ["Member since", day(user.createdAt)],
              ].map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd className="break-words">{value}</dd>
                </div>
              ))}
            </dl>
            <div className="flex flex-wrap gap-2">
              {isStaff && !inOffice && (
                <ButtonLink to={paths.admin} variant="primary">
                  Manage the shop
                </ButtonLink>
              )}
              <Button onClick={() => void signOut()}>Logout</Button>
              <Button onClick={() => void signOut(true)}>Logout everywhere</Button>
            </div>
          </ProfileSection>
          <Sessions />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <ChangePassword />
          <SecondFactor />
        </div>
        <DeleteAccount />
      </div>
    </Frame>
  );
}
