import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/wrangler.mjs'

const GUARD = path.join(root, 'scripts', 'require-node.mjs')

const files = ['scripts', 'bench', 'test/soak'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => path.join(root, folder, name)),
)

/** What a module imports before any code runs, in its order. */
function importsOf(file) {
  const found = readFileSync(file, 'utf8').matchAll(/^(?:import|export|\}) ?(?:.*? from )?'([^']+)'/gm)
  return Array.from(found, ([, name]) => (name.startsWith('.') ? path.resolve(path.dirname(file), name) : name))
}

/** The modules that are loaded with one, and it itself. */
function loadedWith(file) {
  const loaded = new Set([file])
  for (const known of loaded) {
    if (known.endsWith('.mjs') && known.startsWith(root)) for (const name of importsOf(known)) loaded.add(name)
  }
  return [...loaded]
}

/** Names that Node's modules have got since Node 18. To import one of them is a fault before any code runs. */
const NEWER_NAMES = /^import .*\{[^}]*\b(?:glob|parseEnv|styleText|registerHooks)\b[^}]*\} from 'node:/m

const entries = files.filter((file) => importsOf(file)[0] === GUARD)

describe('on a Node that is too old', () => {
  it('scripts load nothing that it does not know before they say what to do', () => {
    expect(entries.length).toBeGreaterThan(12)
    const unknown = (name) => name === 'node:sqlite' || name.startsWith('#') || name.endsWith('.ts')
    const faults = entries.flatMap((file) =>
      loadedWith(file)
        .filter(unknown)
        .map((name) => `${path.relative(root, file)} loads ${name}`),
    )
    expect(faults).toEqual([])
    const own = [...new Set(entries.flatMap(loadedWith))].filter(
      (name) => name.endsWith('.mjs') && name.startsWith(root),
    )
    expect(own.filter((name) => NEWER_NAMES.test(readFileSync(name, 'utf8')))).toEqual([])
  })

  it('every script that a document names says what to do', () => {
    const documents = [
      'README.md',
      'package.json',
      ...readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`),
    ]
    const texts = documents
      .filter((name) => /\.(?:md|json)$/.test(name))
      .map((name) => readFileSync(path.join(root, name), 'utf8'))
    const named = Array.from(
      texts.join('\n').matchAll(/\bnode ((?:scripts|bench|test\/soak)\/[\w/-]+\.mjs)/g),
      ([, name]) => name,
    )
    expect(named.length).toBeGreaterThan(15)
    expect([...new Set(named)].filter((name) => !entries.includes(path.join(root, name)))).toEqual([])
  })
})
