import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, type Fields } from '../../../support/catalog'

const catalog = catalogOfEachTest()
const { record } = catalog

/** The warning of a dry run that gives a stored record this name. */
async function renamed(was: Fields, now: Fields) {
  await catalog.write([record('407', was), record('other')])
  const { warnings } = await catalog.write([record('new'), record('407', now)], { dry_run: true })
  return warnings.filter(({ code }) => code === 'renamed')
}

it('an existing ID with a completely different name is reported with both names, only in dry runs', async () => {
  const head = 'medication_id,name,generic_name,strength,manufacturer\n'
  await catalog.upload(`${head}407,Procoralan 5 mg,ivabradine,5 mg,Servier\n`)
  const file = 'medication_id,name\n407,Omeprazole 20 mg capsules\n'
  const warning = {
    field: 'name',
    code: 'renamed',
    count: 1,
    examples: [{ index: 1, value: 'Omeprazole 20 mg capsules', was: 'Procoralan 5 mg' }],
  }
  const { warnings } = await catalog.upload(file, { dry_run: true })
  expect(warnings).toContainEqual(expect.objectContaining(warning))
  expect((await catalog.upload(file)).warnings.map(({ code }) => code)).not.toContain('renamed')
})

describe('a new name', () => {
  it('counts as the same if it shares a word, an alias or a known other name', async () => {
    for (const [was, now] of [
      [{ name: 'Cafe Noir' }, { name: 'CAFÉ crème' }],
      [{ name: 'Alpha', aliases: ['Betamax'] }, { name: 'betamax' }],
      [{ name: 'Alpha' }, { name: 'Gamma', display_name: 'Alpha tablets' }],
      [{ name: 'Paracetamol' }, { name: 'Acetaminophen' }],
      [{ name: 'Sodium' }, { name: 'Sodium serum' }],
    ] as const) {
      expect(await renamed(was, now), was.name).toEqual([])
    }
  })

  it('counts as different if it shares only numbers, units, forms, release types, salts or short words', async () => {
    for (const [was, now] of [
      ['Alpha 20 mg tablets', 'Beta 20 mg tablets'],
      ['Alpha XR', 'Beta extended XR'],
      ['Alpha of B', 'Beta of B'],
      ['HCT er', 'XX er'],
      // A missing display name and missing aliases contain no words.
      ['B1', '0 9'],
    ] as const) {
      const examples = [{ index: 1, was }]
      expect(await renamed({ name: was, strength: '5 mg' }, { name: now }), was).toMatchObject([{ count: 1, examples }])
    }
  })
})
