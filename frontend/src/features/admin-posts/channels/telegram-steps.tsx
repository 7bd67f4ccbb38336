/** How to get what the form of a Telegram channel asks for. */
export function TelegramSteps() {
  return (
    <details className="disclosure">
      <summary>Telegram in five steps</summary>
      <ol className="list-decimal pl-5 pt-2 text-sm text-ink-2">
        <li>
          In Telegram, write to{" "}
          <a href="https://t.me/BotFather" target="_blank" rel="noreferrer" className="link">
            @BotFather
          </a>
          : <code>/newbot</code>, then a name for your bot, then a user name that ends in “bot”.
        </li>
        <li>
          It answers with a token, like 123456:ABC…. Copy it into “Bot token” below, and show it to nobody.
        </li>
        <li>
          Open your channel, its name at the top, <i>Administrators</i>, <i>Add administrator</i>, and choose
          the bot. It needs to post, edit and delete messages.
        </li>
        <li>
          A public channel has a link like t.me/loot_deals: enter @loot_deals below. For a private one, enter
          the link of one of its messages, like t.me/c/1234567890/5.
        </li>
        <li>Press “Add channel”, then “Send test”. The test is in your channel within seconds.</li>
      </ol>
    </details>
  );
}
