import { expect, it } from 'vitest'
import { DRUG_FORMS, formIdOf, wordsOfForm } from '#shared/records/drug-forms'

it('every form is found by each of its names, and no name has two forms', () => {
  for (const { form_id, name, synonyms } of DRUG_FORMS) {
    for (const known of [name, ...synonyms]) expect(formIdOf(known), known).toBe(form_id)
  }
  const words = DRUG_FORMS.flatMap(({ name, synonyms }) => [...new Set([name, ...synonyms].map(wordsOfForm))])
  expect(new Set(words).size).toBe(words.length)
})

/** The Orange Book's form names are those in capital letters. */
it.each([
  ['Tabs.', 'tablet'],
  ['Tab SR', 'prolonged_release_tablet'],
  ['Suppositories', 'suppository'],
  ['  film-Coated \t tablet\n', 'film_coated_tablet'],
  ['TABLET, EXTENDED RELEASE', 'extended_release_tablet'],
  ['SOLUTION/DROPS', 'drops'],
  ['TABLET, FOR SUSPENSION', 'tablet_for_suspension'],
  ['INJECTABLE, SUSPENSION', 'suspension_for_injection'],
])('plurals, abbreviations, inverted names, any case and whitespace are recognized: %j', (name, id) => {
  expect(formIdOf(name)).toBe(id)
})

// Packs of several forms, names of medications with different forms, and names that are more precise than any form.
it.each([
  ...['Tablet and capsule', 'Capsule, tablet', 'Tablet, tablet', 'Tablet x 10', 'Cream/ointment', 's', 'for', ''],
  ...['tabletx', 'film_coated_tablet', 'constructor', 'Tab let', 'SYSTEM, EXTENDED RELEASE', 'CREAM, INSERT', 'N/A'],
])('a name that only resembles a form is linked to none: %j', (name) => expect(formIdOf(name)).toBeNull())
