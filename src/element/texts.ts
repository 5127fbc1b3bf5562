/** The texts of the element. An attribute `text-` with the name of one replaces it: `text-similar="Ähnliche Namen"`. */
const TEXTS = {
  matches: 'Matches: {n}',
  more: 'Show more, or type more of the name, or a code.',
  'found-by': 'found by {by}',
  nothing: 'Nothing found for “{q}”.',
  similar: 'Similar names',
  'only-similar': 'Nothing found for “{q}”. Similar names: {n}',
  manufacturers: '{n} manufacturers',
  records: '{n} records',
  closed: 'closed',
  open: 'open',
  chosen: 'Chosen: {record}',
  choose: 'Nothing is chosen yet. Choose a record from the list, or empty the box.',
  strength: 'strength not stated',
  form_name: 'form not stated',
  manufacturer: 'manufacturer not stated',
  slow: 'Still searching …',
  offline: 'No connection to the search. It tries again by itself.',
  unauthorized: 'The access to the search has ended. Reload the page.',
  forbidden: 'This page may not search.',
  busy: 'Too many searches at the moment. It goes on by itself.',
  failed: 'The search failed.',
} as const

export type TextName = keyof typeof TEXTS

export type Texts = (name: TextName, values?: Record<string, string | number>) => string

/** The texts of an element, as its attributes have them now. */
export const textsOf =
  (element: Element): Texts =>
  (name, values = {}) =>
    (element.getAttribute(`text-${name.replace('_', '-')}`) ?? TEXTS[name]).replaceAll(
      /\{(\w+)\}/g,
      (place, key: string) => String(values[key] ?? place),
    )
