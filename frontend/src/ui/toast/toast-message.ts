/** Content of a toast; a `failure` is announced assertively. */
export interface ToastMessage {
  title: string;
  description?: string;
  failure?: boolean;
  /** Keeps a failure on the next screen. */
  stays?: boolean;
}

export interface ShownToast extends ToastMessage {
  id: number;
  screen: string;
  open: boolean;
}

/** Milliseconds a toast stays (spec section 9). */
export const DURATION = 5_000;
