/** What a toast says; `failure` is announced at once and looks it. */
export interface ToastMessage {
  title: string;
  description?: string;
  failure?: boolean;
  /** A failure that is still true on the screen that follows. */
  stays?: boolean;
}

export interface ShownToast extends ToastMessage {
  id: number;
  /** The path of the screen that it belongs to. */
  screen: string;
  open: boolean;
}

/** Milliseconds a toast stays (spec section 9). */
export const DURATION = 5_000;
