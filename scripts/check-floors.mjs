/**
 * The floors of `src`, and a check: imports run downwards only. A room is a folder or a file of `src`. It may import from
 * rooms of its own floor and of those below.
 */
import './require-node.mjs'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './wrangler.mjs'

/** From the ground up. */
const FLOORS = [
  ['errors', 'limits', 'access', 'text'],
  ['memory'],
  ['json', 'records', 'crypto', 'env'],
  ['storage'],
  ['http'],
  ['auth'],
  ['encryption', 'search'],
  ['catalog', 'workspace', 'webhooks', 'sync'],
  ['documents', 'registration', 'login', 'platform'],
  ['endpoints'],
  ['client', 'import', 'install'],
  ['element'],
  ['openapi'],
  ['console', 'cli'],
  ['app', 'scheduled', 'index'],
]

/** The console, the client and command lines share these rooms, so they know neither D1 nor Hono, nor React. */
const PURE = /^(?:text|memory|json|records|client)\/(?!(?:described|partner)\.ts$)/
const KNOWN_BY_PURE =
  /^#(?:errors|limits|access|text|memory|json|records|client)(?:\/|$)|^\.|^zod|^papaparse$|^fastest-levenshtein$/

/** Files that people have are read in pages and on command lines, without the service. */
const IMPORT = /^import\//
const KNOWN_BY_IMPORT =
  /^#(?:errors|limits|text|json|records|import)(?:\/|$)|^\.|^@e965\/xlsx$|^fflate$|^crc-32$|^htmlparser2$|^papaparse$|^fastest-levenshtein$/

const source = path.join(root, 'src')
const faults = []
for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.tsx?$/.test(name),
)) {
  const floorOf = (room) => FLOORS.findIndex((rooms) => rooms.includes(room))
  const own = floorOf(file.split('/')[0].replace(/\.tsx?$/, ''))
  if (own === -1) faults.push(`src/${file} is on no floor`)
  const text = readFileSync(path.join(source, file), 'utf8')
  for (const [, imported] of text.matchAll(
    /^\s*(?:import|export|\}) .*?from '([^']+)'|\bimport\('([^']+)'\)/gm,
  )) {
    const room = /^#([\w-]+)/.exec(imported ?? '')?.[1]
    if (room !== undefined && floorOf(room) > own) faults.push(`src/${file} imports ${imported} from above`)
    const known = PURE.test(file) ? KNOWN_BY_PURE : IMPORT.test(file) ? KNOWN_BY_IMPORT : undefined
    if (imported && known?.test(imported) === false)
      faults.push(`src/${file} is pure and imports ${imported}`)
  }
}
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\nSee the floors in docs/architecture.md.\n`)
  process.exit(1)
}
