import { expect, it } from 'vitest'
import { DRUG_FORMS, formIdOf, wordsOfForm } from '#shared/records/drug-forms'

it('accepted drug forms have ids of lower-case words, each once, and names in sentence case that fit into form_name', () => {
  expect(new Set(DRUG_FORMS.map(({ form_id }) => form_id)).size).toBe(DRUG_FORMS.length)
  for (const { form_id, name } of DRUG_FORMS) {
    expect(form_id).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(name).toMatch(/^[A-Z][a-z -]{1,63}$/)
  }
})

it('every form is found by its own name and by each of its synonyms, and no name means two forms', () => {
  for (const { form_id, name, synonyms } of DRUG_FORMS) {
    for (const known of [name, ...synonyms]) expect(formIdOf(known), known).toBe(form_id)
  }
  const words = DRUG_FORMS.flatMap(({ name, synonyms }) => [...new Set([name, ...synonyms].map(wordsOfForm))])
  expect(new Set(words).size).toBe(words.length)
})

/** Form names of the Orange Book are those in capital letters. */
it.each([
  ['Tabs.', 'tablet'],
  ['Tab. Film coated', 'film_coated_tablet'],
  ['Tablets (film-coated)', 'film_coated_tablet'],
  ['Tab SR', 'prolonged_release_tablet'],
  ['Powder for inj.', 'powder_for_injection'],
  ['Suppositories', 'suppository'],
  ['Lyophilized powder for injection', 'lyophilised_powder_for_injection'],
  ['  film-Coated \t tablet\n', 'film_coated_tablet'],
  ['TABLET, EXTENDED RELEASE', 'extended_release_tablet'],
  ['CAPSULE, DELAYED REL PELLETS', 'delayed_release_pellet_capsule'],
  ['SOLUTION/DROPS', 'drops'],
  ['FOR SUSPENSION', 'powder_for_suspension'],
  ['TABLET, FOR SUSPENSION', 'tablet_for_suspension'],
  ['TABLET, ORALLY DISINTEGRATING', 'orodispersible_tablet'],
  ['GUM, CHEWING', 'medicated_chewing_gum'],
  ['SPRAY, METERED', 'metered_dose_spray'],
  ['INJECTABLE, SUSPENSION', 'suspension_for_injection'],
])('plurals, abbreviations, inverted names, any case and white space are known: %j', (name, id) => {
  expect(formIdOf(name)).toBe(id)
})

// Packs of several forms, names of medications that have different ones, and what no form is as precise as.
it.each([
  ...['Tablet and capsule', 'Capsule, tablet', 'Tablet, tablet', 'Tablet x 10', 'Cream/ointment', 's', 'for', ''],
  ...['tabletx', 'film_coated_tablet', 'constructor', 'Tab let', 'SYSTEM, EXTENDED RELEASE', 'CREAM, INSERT', 'N/A'],
  ...['SOLUTION, ELIXIR', 'CAPSULE, COATED PELLETS', 'FOR SOLUTION, TABLET, FOR SOLUTION', 'FIBER, EXTENDED RELEASE'],
])('what only resembles a form is linked to none: %j', (name) => expect(formIdOf(name)).toBeNull())
