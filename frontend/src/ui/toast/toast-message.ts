/** What a toast says; `failure` is announced at once and looks it. */
export interface ToastMessage {
  title: string;
  description?: string;
  failure?: boolean;
}

export interface ShownToast extends ToastMessage {
  id: number;
  open: boolean;
}

/** Milliseconds a toast stays (spec section 9). */
export const DURATION = 5_000;
