import { describe, expect, it } from 'vitest'
import { DRUG_FORMS, formIdOf } from '#records/drug-forms'
import { call, DATASETS, newCatalog } from '../support/catalog'

describe('accepted drug forms', () => {
  it('are at least sixty', () => {
    expect(DRUG_FORMS.length).toBeGreaterThanOrEqual(60)
  })

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

  it.each([
    'tablet',
    'film_coated_tablet',
    'syrup',
    'cream',
    'transdermal_patch',
    'solution_for_injection',
    'eye_drops',
    'ear_drops',
    'nasal_spray',
    'metered_dose_inhaler',
    'suppository',
    'pessary',
  ])('cover the routes of administration: %s', (id) => {
    expect(DRUG_FORMS.map(({ form_id }) => form_id)).toContain(id)
  })
})

describe('matching of a form name', () => {
  it('finds every form by its own name', () => {
    for (const { form_id, name } of DRUG_FORMS) expect(formIdOf(name)).toBe(form_id)
  })

  it.each([
    ['TABLET', 'tablet'],
    ['  film-Coated \t tablet\n', 'film_coated_tablet'],
    ['solution for  injection', 'solution_for_injection'],
  ])('ignores case, surrounding white space and runs of inner white space: %j', (name, id) => {
    expect(formIdOf(name)).toBe(id)
  })

  it.each(['', 'tabletx', 'film_coated_tablet', 'constructor', 'Tab let'])('finds none for %j', (name) => {
    expect(formIdOf(name)).toBeNull()
  })
})

describe('the list of drug forms', () => {
  it('needs no type and names the forms that a medication is linked to', async () => {
    const catalog = await newCatalog()
    const { status, body } = await call(catalog.workspace.token, 'GET', `${DATASETS}/drug-forms/`)
    expect(status).toBe(200)
    const { items, count } = (body as { data: { items: { form_id: string; name: string }[]; count: number } })
      .data
    expect(count).toBe(items.length)
    const records = items.map(({ name }, n) =>
      catalog.record(`f${n}`, { form_name: `  ${name.toUpperCase()} ` }),
    )
    await catalog.reconcile(records, { confirm_shrink: true })
    const { items: linked } = await catalog.list({ limit: 1000 })
    expect(linked.map((item) => item.form_id).reverse()).toEqual(items.map(({ form_id }) => form_id))
    await catalog.write([catalog.record('other', { form_name: 'Magic potion' })])
    expect(await catalog.get('other')).toMatchObject({ form_name: 'Magic potion', form_id: null })
  })
})
