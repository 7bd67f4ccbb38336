import { sendTestMail, useOverview } from "../../../api/office/overview";
import { Trial } from "./trial";

/** Sends a test mail to the administrator, and says what the mail server did. */
export function TestMail() {
  const { mutate } = useOverview();
  const send = async () => {
    const to = await sendTestMail();
    await mutate();
    return `A mail to ${to} is on its way.`;
  };
  return <Trial label="Send a test mail to me" pending="Sending..." run={send} />;
}
