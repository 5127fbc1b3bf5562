import { describe, expect, it } from 'vitest'
import { DRUG_FORMS, formIdOf, wordsOfForm } from '#shared/records/drug-forms'
import orangeBook from './drug-form-names.json'

describe('accepted drug forms', () => {
  it('have ids of lower-case words joined by underscores, each once', () => {
    for (const { form_id } of DRUG_FORMS) expect(form_id).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(new Set(DRUG_FORMS.map(({ form_id }) => form_id)).size).toBe(DRUG_FORMS.length)
  })

  it('have names in sentence case that fit into form_name', () => {
    for (const { name } of DRUG_FORMS) {
      expect(name).toMatch(/^[A-Z][a-z -]+$/)
      expect(name.length).toBeLessThanOrEqual(64)
    }
  })
})

describe('matching of a form name', () => {
  it('finds every form by its own name and by each of its synonyms', () => {
    for (const { form_id, name, synonyms } of DRUG_FORMS) {
      for (const known of [name, ...synonyms]) expect(formIdOf(known), known).toBe(form_id)
    }
  })

  it('never finds two forms for one name', () => {
    const words = DRUG_FORMS.map(({ name, synonyms }) => new Set([name, ...synonyms].map(wordsOfForm)))
    expect(new Set(words.flatMap((own) => [...own])).size).toBe(words.flatMap((own) => [...own]).length)
  })

  it.each([
    ['Tab', 'tablet'],
    ['Tabs.', 'tablet'],
    ['TABLETS', 'tablet'],
    ['Tab. Film coated', 'film_coated_tablet'],
    ['Tablets (film-coated)', 'film_coated_tablet'],
    ['Tab SR', 'prolonged_release_tablet'],
    ['ODT', 'orodispersible_tablet'],
    ['Caps', 'capsule'],
    ['Inj', 'injection'],
    ['Inj.', 'injection'],
    ['Powder for inj.', 'powder_for_injection'],
    ['Oral Susp', 'oral_suspension'],
    ['Oint', 'ointment'],
    ['Eye oint.', 'eye_ointment'],
    ['Suppositories', 'suppository'],
    ['Transdermal patches', 'transdermal_patch'],
    ['MDI', 'metered_dose_inhaler'],
    ['Lyophilized powder for injection', 'lyophilised_powder_for_injection'],
    ['TABLET,EXTENDED RELEASE', 'extended_release_tablet'],
    ['Ointment, eye', 'eye_ointment'],
    ['  film-Coated \t tablet\n', 'film_coated_tablet'],
    ['solution for  injection', 'solution_for_injection'],
  ])('knows plurals, abbreviations, inverted names, any case and white space: %j', (name, id) => {
    expect(formIdOf(name)).toBe(id)
  })

  it.each(['Tablet and capsule', 'Capsule, tablet', 'Tablet, tablet', 'Tablet x 10', 'Cream/ointment', 's', 'for'])(
    'links nothing to a form that it only resembles: %s',
    (name) => {
      expect(formIdOf(name)).toBeNull()
    },
  )

  it.each(['', 'tabletx', 'film_coated_tablet', 'constructor', 'Tab let'])('finds no form for %j', (name) => {
    expect(formIdOf(name)).toBeNull()
  })
})

describe('the form names of the Orange Book', () => {
  const rows = orangeBook as [name: string, medications: number, form_id: string | null][]

  // Each line was compared with the data of the Orange Book by hand. A name has no form if it is a pack of several
  // (`CREAM, SUPPOSITORY`), if its medications have different forms (`SYSTEM`: patches, implants, powder), or if no
  // accepted form is as precise.
  it('are linked as they should be', () => {
    for (const [name, , formId] of rows) expect(formIdOf(name), name).toBe(formId)
  })

  it('link for at least nine medications in ten', () => {
    const count = (some: typeof rows) => some.reduce((sum, [, medications]) => sum + medications, 0)
    expect(count(rows)).toBe(44_328)
    expect(count(rows.filter(([, , formId]) => formId !== null)) / count(rows)).toBeGreaterThan(0.99)
  })
})
