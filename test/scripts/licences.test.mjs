import { expect, it } from 'vitest'
import { licenceErrors } from '../../scripts/licences.mjs'

const packages = (entries) =>
  Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [`node_modules/${name}`, { version: '1.0.0', ...entry }]),
  )

it('known licences are accepted, and one known alternative is enough', () => {
  const known = packages({
    a: { license: 'MIT' },
    'b/node_modules/c': { license: 'MIT' },
    d: { license: '(MIT OR Unheard-Of)' },
  })
  expect(licenceErrors(known)).toEqual([])
})

it.each([
  [{}, 'x@1.0.0 states no licence'],
  [{ license: 'SEE LICENSE IN FILE' }, 'x@1.0.0: SEE LICENSE IN FILE is not in the list of accepted licences'],
  [{ license: 'MIT AND Unheard-Of' }, 'x@1.0.0: MIT AND Unheard-Of is not in the list of accepted licences'],
  [{ license: 'MPL-2.0' }, 'x@1.0.0: MPL-2.0 is not in the list of accepted licences'],
])('a package with %j is an error', (entry, error) => {
  expect(licenceErrors(packages({ x: entry }))).toEqual([expect.stringContaining(error)])
  expect(licenceErrors(packages({ x: { license: 'MPL-2.0', dev: true } }))).toEqual([])
})
