import { expect, it } from 'vitest'
import { DRUG_FORMS, formIdOf, wordsOfForm } from '#shared/records/drug-forms'
import orangeBook from './drug-form-names.json'

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

it.each([
  ['Tabs.', 'tablet'],
  ['Tab. Film coated', 'film_coated_tablet'],
  ['Tablets (film-coated)', 'film_coated_tablet'],
  ['Tab SR', 'prolonged_release_tablet'],
  ['Inj.', 'injection'],
  ['Powder for inj.', 'powder_for_injection'],
  ['Oral Susp', 'oral_suspension'],
  ['Eye oint.', 'eye_ointment'],
  ['Suppositories', 'suppository'],
  ['Transdermal patches', 'transdermal_patch'],
  ['Lyophilized powder for injection', 'lyophilised_powder_for_injection'],
  ['Ointment, eye', 'eye_ointment'],
  ['  film-Coated \t tablet\n', 'film_coated_tablet'],
])('plurals, abbreviations, inverted names, any case and white space are known: %j', (name, id) => {
  expect(formIdOf(name)).toBe(id)
})

it.each([
  ...['Tablet and capsule', 'Capsule, tablet', 'Tablet, tablet', 'Tablet x 10', 'Cream/ointment', 's', 'for'],
  ...['', 'tabletx', 'film_coated_tablet', 'constructor', 'Tab let'],
])('what only resembles a form is linked to none: %j', (name) => expect(formIdOf(name)).toBeNull())

// Each line was compared with the data of the Orange Book by hand: the frequent form names, and those that are no name
// of a form. Such a name has no form if it is a pack of several (`CREAM, SUPPOSITORY`), if its medications have different
// forms (`SYSTEM`: patches, implants, powder), or if no accepted form is as precise.
it.each(Object.entries(orangeBook))('the form name %s of the Orange Book is linked to %s', (name, formId) => {
  expect(formIdOf(name)).toBe(formId)
})
