import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ERROR_STATUS } from '#shared/errors/errors'
import packageJson from '../../../package.json'
import { fillBlocks } from '../../../scripts/docs/tables'
import { anchorsOf, section, withoutCode } from '../markdown'

const root = path.join(import.meta.dirname, '../../..')

/** Paths of the files below a folder, from the root of the project. */
const filesBelow = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => path.extname(name) !== '' && !name.includes('/node_modules/'))

const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const found = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([, part]) => part!)

const pages = ['docs', 'bench'].flatMap(filesBelow).filter((file) => /^\w+\/[^/]+\.md$/.test(file))

/** Text of each document, by its path from the root of the project. */
const documents = new Map(
  ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'samples/README.md', 'test/README.md', ...pages].map((file) => [
    file,
    textOf(file),
  ]),
)
const hasAnchor = (file: string, anchor = '') => anchor === '' || anchorsOf(documents.get(file) ?? '').includes(anchor)

describe('the documents', () => {
  it('link to files and sections that exist', () => {
    const known = new Set([...documents.keys(), ...['docs/images', 'migrations', 'samples'].flatMap(filesBelow)])
    const isBroken = (file: string, target: string) => {
      const [to = '', anchor] = target.split('#')
      const page = to === '' ? file : new URL(to, `file:///${file}`).pathname.slice(1)
      return !/^https?:/.test(target) && (!known.has(page) || !hasAnchor(page, anchor))
    }
    const broken = [...documents].flatMap(([file, text]) =>
      found(withoutCode(text), /\]\(([^)\s]+)\)/g).filter((target) => isBroken(file, target)),
    )
    expect(broken).toEqual([])
  })

  it('name commands that exist', () => {
    // Commands of earlier releases are in the changelog.
    const text = [...documents].flatMap(([name, page]) => (name === 'CHANGELOG.md' ? [] : page)).join('\n')
    expect(found(text, /npm run ([\w:-]+)/g).filter((name) => !(name in packageJson.scripts))).toEqual([])
    const scripts = ['scripts', 'bench'].flatMap(filesBelow)
    expect(found(text, /node ((?:scripts|bench)\/[\w-]+\.mjs)/g).filter((file) => !scripts.includes(file))).toEqual([])
  })
})

it('the security page names a test for every threat, in a file that exists', () => {
  const security = textOf('docs/security.md')
  const rows = security.split('\n').filter((line) => /^\| (?!Threat)/.test(line))
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter((row) => !/`(?:test|bench)\//.test(row))).toEqual([])
  const files = ['test', 'bench'].flatMap(filesBelow)
  expect(found(security, /`((?:test|bench)\/[^`]+)`/g).filter((file) => !files.includes(file))).toEqual([])
})

describe('the page on architecture', () => {
  const architecture = textOf('docs/architecture.md')
  const sources = filesBelow('src').filter((file) => /\.tsx?$/.test(file))

  it('states the purpose of every dependency', () => {
    const table = section(architecture, 'dependencies')
    const names = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies })
    expect(names.filter((name) => !name.startsWith('@types/') && !table.includes(name))).toEqual([])
  })

  it('lists every folder of src and of the Worker', () => {
    const layers = section(architecture, 'folders')
    const names = sources.flatMap((file) => {
      const [, folder = '', inWorker = ''] = file.split('/')
      return folder === 'worker' ? [folder, inWorker.replace(/\.ts$/, '')] : [folder]
    })
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(layers))).toEqual([])
  })

  it('names files that exist', () => {
    const named = found(architecture, /`(src\/[\w./-]+)`/g)
    expect(named.filter((file) => !filesBelow('src').some((source) => source.startsWith(file)))).toEqual([])
  })
})

describe('the contract', () => {
  const contract = textOf('docs/contract.md')

  it('has up-to-date generated tables: run `npm run docs` if this fails', () => {
    expect(contract).toBe(fillBlocks(contract))
    const marked = '<!-- generated: no-such-table -->\n<!-- /generated -->'
    expect(() => fillBlocks(marked)).toThrow('no table is named no-such-table')
  })

  it('explains every status that an error can have, and no other', () => {
    const rows = section(contract, 'status-codes')
      .split('\n')
      .filter((line) => line.startsWith('|'))
    const statuses = [...new Set(Object.values(ERROR_STATUS))].sort().map(String)
    expect(rows.slice(2).map((row) => row.split('|')[1]!.trim().replaceAll('`', ''))).toEqual(statuses)
  })
})
