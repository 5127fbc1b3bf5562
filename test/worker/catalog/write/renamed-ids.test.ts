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

it('an id in use that gets quite another name is named with both names, in dry runs only', async () => {
  const head = 'medication_id,name,generic_name,strength,manufacturer\n'
  await catalog.upload(`${head}407,Procoralan 5 mg,ivabradine,5 mg,Servier\n`)
  const file = 'medication_id,name\n407,Omeprazole 20 mg capsules\n'
  const warning = {
    field: 'name',
    code: 'renamed',
    count: 1,
    examples: [{ index: 1, value: 'Omeprazole 20 mg capsules', was: 'Procoralan 5 mg' }],
  }
  for (const include of [{}, { include: 'diff' }]) {
    const { warnings } = await catalog.upload(file, { dry_run: true, ...include })
    expect(warnings).toContainEqual(expect.objectContaining(warning))
  }
  expect((await catalog.upload(file)).warnings.map(({ code }) => code)).not.toContain('renamed')
})

describe('a new name', () => {
  it.each([
    ['a word, a case and an accent aside', { name: 'Cafe Noir' }, { name: 'CAFÉ crème' }],
    ['an alias', { name: 'Alpha', aliases: ['Betamax'] }, { name: 'betamax' }],
    ['a display name', { name: 'Alpha' }, { name: 'Gamma', display_name: 'Alpha tablets' }],
    ['another name of a generic', { name: 'Paracetamol' }, { name: 'Acetaminophen' }],
    ['letters of a script without spaces', { name: '阿司匹林片' }, { name: '阿司匹林' }],
    ['only a word that says little', { name: 'Sodium' }, { name: 'Sodium serum' }],
  ])('that shares %s is no other one', async (_, was, now) => {
    expect(await renamed(was, now)).toEqual([])
  })

  it.each([
    ['numbers, units and forms', { name: 'Alpha 20 mg tablets' }, { name: 'Beta 20 mg tablets' }],
    ['releases', { name: 'Alpha XR' }, { name: 'Beta extended XR' }],
    ['salts', { name: 'Alpha hydrochloride' }, { name: 'Beta HCl hydrochloride' }],
    ['two letters', { name: 'Alpha of B' }, { name: 'Beta of B' }],
    ['a form, beside a salt', { name: 'Zinc 50 mg tablet' }, { name: 'Iron 50 mg tablet' }],
    ['a number, beside a short word', { name: 'Zinc 500 mg' }, { name: 'K2 500 mg' }],
    ['a release, beside a short word', { name: 'HCT er' }, { name: 'XX er' }],
  ])('that shares only %s is another one', async (_, was, now) => {
    expect(await renamed(was, now)).toMatchObject([{ count: 1, examples: [{ index: 1, was: was.name }] }])
  })
})
