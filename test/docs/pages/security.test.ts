import { expect, it } from 'vitest'
import { filesBelow, textOf } from './documents'

const security = textOf('docs/security.md')

it('the security page names a test for every threat, in a file that exists', () => {
  const rows = security.split('\n').filter((line) => /^\| (?!threat)/.test(line))
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter((row) => !/`(?:test|bench)\//.test(row))).toEqual([])
  const files = ['test', 'bench'].flatMap(filesBelow)
  const named = Array.from(security.matchAll(/`((?:test|bench)\/[^`]+)`/g), ([, file]) => file!)
  expect(named.filter((file) => !files.includes(file))).toEqual([])
})
