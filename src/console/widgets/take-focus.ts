/** A `ref` for an element that replaces the one that had the focus. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()
