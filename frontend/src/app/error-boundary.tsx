import { Component, type ReactNode } from "react";
import { PageTitle } from "../shop/shop";
import { reload, screenBroke, screenBrokeHint } from "../texts/en.json";
import { Button } from "../ui/button";

/** Shows a way on when a component throws. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}

function Broken() {
  return (
    <div className="page flex flex-col items-start gap-4 px-0 py-10">
      <PageTitle of={screenBroke} />
      <h1 tabIndex={-1} className="text-lg font-semibold">
        {screenBroke}
      </h1>
      <p className="text-ink-2">{screenBrokeHint}</p>
      <Button variant="primary" onClick={() => window.location.reload()}>
        {reload}
      </Button>
    </div>
  );
}
