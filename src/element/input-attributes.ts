import { MOST_CHARACTERS } from './limits'

/** Attributes of the input, unless the page sets them: programs and keyboards must not change what is typed. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  autocomplete: 'off',
  autocapitalize: 'none',
  autocorrect: 'off',
  spellcheck: 'false',
  maxlength: String(MOST_CHARACTERS),
  role: 'combobox',
  'aria-autocomplete': 'list',
}

/** Attributes of the input that the page may set, or take away with a part of itself. */
export const WATCHED = ['aria-controls', 'disabled', 'name', 'role', 'value']

/**
 * Sets what is missing. Pages take attributes away when they bring a part of themselves to another state.
 *
 * @param listId id of the list
 * @param more further attributes, empty if there are none
 */
export function dress(input: HTMLInputElement, listId: string, more: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries({ ...ATTRIBUTES, ...more }))
    if (value && !input.hasAttribute(name)) input.setAttribute(name, value)
  // Unless they are those of a copy.
  if (input.getAttribute('aria-controls') !== listId) {
    input.setAttribute('aria-controls', listId)
    input.ariaExpanded = 'false'
  }
}
