import { expect, it } from 'vitest'
import { describeOnSite } from './site'

const tablet = (id: string, strength: string) => ({
  medication_id: id,
  name: `Medrol ${strength}`,
  display_name: 'Medrol',
  strength,
  form_name: 'Tablet',
  manufacturer: 'Maker 1',
})

const group = (match: string, query: string | null, left_out: string[] = []) => ({ match, count: 1, query, left_out })

describeOnSite('the sections of the list', (at) => {
  const answers = (groups: object[], from = 0, has_more = false) => {
    const items = groups.map((_, n) => tablet(`R${from + n}`, `${from + n + 8} mg`))
    at().site.proxy.override = ({ q }) =>
      q === undefined ? undefined : { answer: { source: 'workspace', items, groups, has_more } }
  }
  const sections = () =>
    at()
      .box.list.getByRole('group')
      .evaluateAll((all) => all.map((one) => one.firstChild?.textContent))

  it('show how far their records are from the typed text, across the pages of a response', async () => {
    const { box } = await at().load()
    answers([
      group('exact', null),
      group('beginning', 'medrol 8'),
      group('misspelt', 'medrol'),
      group('left_out', 'medrol', ['xr']),
    ])
    await box.find('x')
    expect(await sections()).toEqual(['Numbers that begin with 8', 'Similar names: medrol', 'Without ‘xr’'])
    await box.says('Matches: 2')

    answers([group('left_out', 'medrol', ['12.5 mg'])])
    await box.find('medrol 12.5 mg')
    expect(await sections()).toEqual(['Other medrol, without 12.5 mg'])
    await box.says('Nothing found for “medrol 12.5 mg”. Other medrol, without 12.5 mg (1)')

    answers([group('exact', null)], 0, true)
    await box.find('y')
    for (const [from, said] of ['Matches: 2+', 'Matches: 3'].entries()) {
      answers([group('beginning', 'medrol 8')], from + 1, from === 0)
      await box.option('Show more').click()
      await box.says(said)
      await box.takesChoices()
    }
    expect(await sections()).toEqual(['Numbers that begin with 8'])
  })

  it('let Enter choose only exact matches, and a click any match', async () => {
    const { box } = await at().load()
    answers([group('exact', null), group('beginning', 'medrl 8'), group('misspelt', 'medrol')])
    await box.find('medrl 8')
    for (const strength of ['9 mg', '10 mg']) {
      await box.reach(strength)
      await box.press('Enter')
      await box.says('Enter takes exact matches only.')
      await box.press('Enter')
      expect(await box.value()).toBe('')
    }
    await box.option('10 mg').click()
    expect(await box.value()).toBe('R2')
    await box.find('medrol')
    await box.reach('8 mg')
    await box.press('Enter')
    expect(await box.value()).toBe('R0')
  })
})
