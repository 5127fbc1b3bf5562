/**
 * The texts of the element. An attribute `text-` with the name of one replaces it (`text-similar="Ähnlich: {q}"`),
 * and so does `catalogSearchTexts` for all elements of a page.
 */
const TEXTS = {
  matches: 'Matches: {n}',
  more: 'Show more, or type more.',
  'found-by': 'found by {by}',
  nothing: 'Nothing found for “{q}”.',
  beginning: 'Numbers that begin with {q}',
  similar: 'Similar names: {q}',
  'left-out': 'Without {q}',
  'nothing-with': 'Other {other}, without {q}',
  'not-exact': 'Enter takes exact matches only.',
  manufacturers: '{n} manufacturers',
  records: '{n} records',
  closed: 'closed',
  open: 'open',
  chosen: 'Chosen: {record}',
  unknown: 'No record has the id {id} and this name.',
  unchecked: 'The id {id} is not checked yet.',
  changed: 'Record {id} has changed. Choose again.',
  moved: 'The search now uses a different catalog. Choose again.',
  choose: 'Nothing is chosen yet. Choose from the list.',
  strength: 'strength not stated',
  form: 'form not stated',
  manufacturer: 'manufacturer not stated',
  slow: 'Still searching …',
  offline: 'Can’t reach the search. Retrying…',
  unauthorized: 'Your search session has expired. Reload the page.',
  forbidden: 'This page may not search.',
  busy: 'Too many searches. Retrying…',
  setup: 'This search is not set up correctly.',
  failed: 'The search failed.',
}

export type TextName = keyof typeof TEXTS

/** A text of an element, as its attributes have it now. */
export const textFor = (element: Element, name: TextName, values: Readonly<Record<string, string>> = {}): string =>
  (element.getAttribute(`text-${name}`) ?? globalThis.catalogSearchTexts?.[name] ?? TEXTS[name]).replaceAll(
    /\{(\w+)\}/g,
    (place, key: string) => values[key] ?? place,
  )
