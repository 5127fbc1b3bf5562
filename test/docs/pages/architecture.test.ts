import { describe, expect, it } from 'vitest'
import packageJson from '../../../package.json'
import { section } from '../markdown'
import { filesBelow, textOf } from './documents'

const architecture = textOf('docs/architecture.md')
const schema = textOf('migrations/0000_schema.sql')
const sources = filesBelow('src').filter((file) => /\.tsx?$/.test(file))
const WORKER = 'src/worker/'

/** The folders of `src`, and those of the Worker. */
const folders = new Set([
  ...sources.map((path) => path.split('/')[1]!),
  ...sources.flatMap((path) => (path.startsWith(WORKER) ? [path.split('/')[2]!.replace(/\.ts$/, '')] : [])),
])

describe('the page on architecture', () => {
  it('says the purpose of every dependency', () => {
    const table = section(architecture, 'dependencies')
    const names = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies })
    expect(names.filter((name) => !name.startsWith('@types/') && !table.includes(name))).toEqual([])
  })

  it('places every folder', () => {
    const layers = section(architecture, 'folders')
    expect([...folders].filter((name) => !new RegExp(`\\b${name}\\b`).test(layers))).toEqual([])
  })

  it('says the rule of every trigger', () => {
    const rules = section(architecture, 'rules-in-the-database')
    const triggers = Array.from(schema.matchAll(/^CREATE TRIGGER (\w+)/gm), ([, name]) => name!)
    expect(triggers.filter((name) => !rules.includes(`\`${name}\``))).toEqual([])
  })

  it('names files that exist', () => {
    const named = Array.from(architecture.matchAll(/`(src\/[\w./-]+)`/g), ([, path]) => path!)
    const missing = named.filter((path) => !sources.some((source) => source.startsWith(path)))
    expect(missing).toEqual([])
  })
})
