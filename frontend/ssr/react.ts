/** Stands in for `react` in the server's bundle: elements and the hooks of visitors' screens, written once. */

export type Props = Readonly<Record<string, unknown>>;
export type Component = (props: Props) => unknown;
export type ElementType = string | Component | Context<unknown>;

/** Tells elements from data, which have no symbols. */
export const ELEMENT = Symbol("element");

export interface Element {
  readonly kind: typeof ELEMENT;
  readonly type: ElementType;
  readonly props: Props;
}

export class Context<T> {
  current: T;

  constructor(usual: T) {
    this.current = usual;
  }
}

export function jsx(type: ElementType, props: Props): Element {
  return { kind: ELEMENT, type, props };
}

export { jsx as jsxs };

export function createElement(type: ElementType, props: Props, ...children: unknown[]): Element {
  return jsx(type, children.length === 0 ? props : { ...props, children });
}

export function Fragment({ children }: Props): unknown {
  return children;
}

export function createContext<T>(usual: T): Context<T> {
  return new Context(usual);
}

export function useContext<T>(context: Context<T>): T {
  return context.current;
}

/** Refuses what only a browser does. */
function refuse(): never {
  throw new Error("the server's pages have no state to change and wait for nothing");
}

export function useState<T>(initial?: T | (() => T)): [T | undefined, () => never] {
  return [typeof initial === "function" ? (initial as () => T)() : initial, refuse];
}

export function useMemo<T>(make: () => T): T {
  return make();
}

export function useCallback<T>(callback: T): T {
  return callback;
}

export function useRef<T>(initial?: T): { current: T | undefined } {
  return { current: initial };
}

export function useEffect(): void {}

export { useEffect as useLayoutEffect };

export function useSyncExternalStore<T>(_subscribe: unknown, _inBrowser: unknown, onServer?: () => T): T {
  return (onServer ?? refuse)();
}

/** A component that is loaded on demand can't be shown here. */
export function lazy(): Component {
  return refuse;
}

export { refuse as Suspense };
