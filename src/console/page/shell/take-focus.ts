/** As the `ref` of an element that appears in the place of what had the focus. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()
