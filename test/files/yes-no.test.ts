import { expect, it } from 'vitest'
import { knownState } from '#files/columns/states'

it.each([
  ['Ja', 'yes'],
  ['NEIN', 'no'],
  ['✓', 'yes'],
  ['Registered', 'yes'],
  ['Withdrawn', 'no'],
  ['Suspendido', 'no'],
  // It is a word for yes in one language and for no in another.
  ['ne', 'no'],
  ['perhaps', undefined],
])('what %s means is known: %s', (text, meaning) => expect(knownState(text)).toBe(meaning))
