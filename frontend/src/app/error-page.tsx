import { Button } from "../ui/button";

/** What is left when a screen itself breaks. */
export function ErrorPage() {
  return (
    <main className="page flex flex-col items-start gap-4 py-10">
      <title>Something went wrong · Deals</title>
      <h1 className="text-lg font-semibold">Something went wrong</h1>
      <p className="text-ink-2">This screen could not be shown. Reloading usually helps.</p>
      <Button look="primary" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </main>
  );
}
