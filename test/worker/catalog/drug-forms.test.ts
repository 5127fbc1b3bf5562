import { expect, it } from 'vitest'
import { call, DATASETS, newCatalog } from '../../support/catalog'

it('the list of drug forms needs no type and names the forms that a medication is linked to', async () => {
  const catalog = await newCatalog()
  const { status, body } = await call(catalog.workspace.token, 'GET', `${DATASETS}/drug-forms/`)
  expect(status).toBe(200)
  const { items, count } = (body as { data: { items: { form_id: string; name: string }[]; count: number } }).data
  expect(count).toBe(items.length)
  const records = items.map(({ name }, n) => catalog.record(`f${n}`, { form_name: `  ${name.toUpperCase()} ` }))
  await catalog.reconcile(records, { confirm_shrink: true })
  const { items: linked } = await catalog.list({ limit: 1000 })
  expect(linked.map((item) => item.form_id).reverse()).toEqual(items.map(({ form_id }) => form_id))
  await catalog.write([catalog.record('other', { form_name: 'Magic potion' })])
  expect(await catalog.get('other')).toMatchObject({ form_name: 'Magic potion', form_id: null })
})
