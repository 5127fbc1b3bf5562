import { MOST_CHARACTERS } from './limits'

/** Default attributes of the input. Browsers and keyboards must not change what the user types. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  autocomplete: 'off',
  autocapitalize: 'none',
  autocorrect: 'off',
  spellcheck: 'false',
  maxlength: String(MOST_CHARACTERS),
  role: 'combobox',
  'aria-autocomplete': 'list',
}

/** Attributes of the input that the page may set or remove, for example when it morphs. */
export const WATCHED = ['aria-controls', 'disabled', 'name', 'role', 'value']

/**
 * Sets missing attributes. Pages remove attributes when they morph to a different state.
 *
 * @param listId id of the list
 * @param more further attributes, empty if there are none
 */
export function dress(input: HTMLInputElement, listId: string, more: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries({ ...ATTRIBUTES, ...more }))
    if (value && !input.hasAttribute(name)) input.setAttribute(name, value)
  // The ID may belong to the element that this one was copied from.
  if (input.getAttribute('aria-controls') !== listId) {
    input.setAttribute('aria-controls', listId)
    input.ariaExpanded = 'false'
  }
}
