import { expect, it } from 'vitest'
import packageJson from '../../../package.json'
import { documents, filesBelow } from './documents'

const scripts = ['scripts', 'bench'].flatMap(filesBelow)

it('the documents name commands that exist', () => {
  // What earlier releases had is in the changelog.
  const text = [...documents].flatMap(([name, page]) => (name === 'CHANGELOG.md' ? [] : page)).join('\n')
  const commands = Array.from(text.matchAll(/npm run ([\w:-]+)/g), ([, name]) => name!)
  expect(commands.filter((name) => !(name in packageJson.scripts))).toEqual([])
  const files = Array.from(text.matchAll(/node ((?:scripts|bench)\/[\w-]+\.mjs)/g), ([, file]) => file!)
  expect(files.filter((file) => !scripts.includes(file))).toEqual([])
})
