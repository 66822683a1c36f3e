/** What `dom.js` makes elements of. */

/** Listeners by the name of their event; `currentTarget` is the element they are attached to. */
export type Listeners<E extends Element> = {
  [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K] & { currentTarget: E }) => void;
};

/**
 * `class`, `on` (listeners), `data` (data attributes), properties of the element when it has them, attributes
 * otherwise; `false`, `null` and `undefined` leave an attribute out.
 */
export interface Props<E extends Element> {
  class?: string;
  on?: Listeners<E>;
  data?: Record<string, string>;
  [attribute: string]: unknown;
}

/** What an element holds: nodes and texts, or lists of them; `false`, `null` and `undefined` are left out. */
export type Child = Node | string | number | false | null | undefined | Child[];
