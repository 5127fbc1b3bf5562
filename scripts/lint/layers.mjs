/**
 * The layers of `src`, and three other rules. Imports run downwards only: a folder of `src`, or of `src/worker`, may
 * import from itself, from folders of its layer and from lower layers. Every export is imported somewhere. No line
 * exceeds 120 columns. (Biome rejects circular imports of files.)
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../wrangler.mjs'

/** Each list begins with the lowest layer. */
const LAYERS = {
  shared: [
    ['errors', 'limits', 'access', 'text', 'lru-map', 'webhook-events', 'work'],
    ['json', 'records'],
  ],
  worker: [
    ['crypto', 'env'],
    ['storage'],
    ['http'],
    ['auth'],
    ['encryption', 'search'],
    ['catalog', 'workspace', 'webhooks', 'sync'],
    ['documents', 'registration', 'login', 'platform', 'pages'],
    ['endpoints'],
    ['openapi'],
    ['app', 'scheduled', 'index'],
  ],
}

/** The folders of `src` and the packages that each program or library of `src` may import. */
const KNOWN = {
  shared: /^#shared\/|^\.|^(?:zod|papaparse|fastest-levenshtein)$/,
  files: /^#(?:shared|files)\/|^\.|^(?:@e965\/xlsx|fflate|crc-32|htmlparser2|papaparse|fastest-levenshtein)$/,
  worker: /^#(?:shared|worker)\/|^\.|^[^#.]/,
  client: /^#(?:shared|client)\/|^\.|^[^#.]/,
  cli: /^#(?:shared|files|client|cli)\/|^\.|^[^#.]/,
  console: /^#(?:shared|files|client|console)\/|^\.|^[^#.]/,
  element: /^#(?:shared|client|element)\/|^\.|^[^#.]/,
}

/** An entry of the client's package, for integrations. The other entry only re-exports. */
const PARTNER_ENTRY = 'client/partner.ts'

/** Called by the compiled JSX of the console. */
const JSX_RUNTIME = 'console/jsx/jsx-runtime.ts'

const MAX_COLUMNS = 120

const faults = []
const layerOf = (area, folder) => LAYERS[area].findIndex((folders) => folders.includes(folder))

function checkImport(file, imported) {
  const [area, folder] = file.replace(/\.tsx?$/, '').split('/')
  if (!KNOWN[area].test(imported)) {
    faults.push(`src/${file} imports ${imported}, which ${area} does not know`)
  }
  const [, target, below] = /^#([\w-]+)\/([\w-]+)/.exec(imported) ?? []
  if (target !== area || LAYERS[area] === undefined) return
  if (layerOf(area, below) > layerOf(area, folder)) {
    faults.push(`src/${file} imports ${imported} from a layer above`)
  }
}

/** Every import, `import type` and `import()` of a text. */
const IMPORT = /^\s*(?:import|export|\}) .*?from '([^']+)'|\bimport\('([^']+)'\)/gm

/** Imports and exports of everything in a file. */
const WHOLE = /^(?:import|export) \* (?:as \w+ )?from '([^']+)'/gm

const importsOf = (text) => [...text.matchAll(IMPORT)].map(([, from, dynamic]) => from ?? dynamic)

const texts = new Map(
  ['src', 'test', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
      .map((name) => [`${folder}/${name}`, readFileSync(path.join(root, folder, name), 'utf8')]),
  ),
)
const files = [...texts.keys()].filter((name) => /^src\/.*\.tsx?$/.test(name)).map((name) => name.slice(4))
const textOf = (file) => texts.get(`src/${file}`)

/** The imported file of `src`; undefined for a package or a file that is not TypeScript. */
function importedFile(file, imported) {
  if (!/^[#.]/.test(imported)) return undefined
  const base = imported.startsWith('#') ? imported.slice(1) : path.posix.join(path.dirname(file), imported)
  return [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find((name) => texts.has(`src/${name}`))
}

const EXPORT = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)\b(?! = sqliteTable)/gm

/** The files of `src`, `test`, `scripts` and `bench` that import each file of `src`, as texts. */
const importers = new Map(files.map((file) => [file, []]))
/** The files of `src` of which a file imports everything. */
const importedWhole = new Set()
for (const [name, text] of texts) {
  const file = path.posix.relative('src', name)
  for (const imported of importsOf(text)) importers.get(importedFile(file, imported))?.push(text)
  for (const [, imported] of text.matchAll(WHOLE)) importedWhole.add(importedFile(file, imported))
}

/** Without tables, because drizzle-kit reads them. */
function checkExports(file) {
  if (file === PARTNER_ENTRY || file === JSX_RUNTIME || importedWhole.has(file)) return
  for (const [, name] of textOf(file).matchAll(EXPORT)) {
    const use = new RegExp(`\\b${name}\\b`)
    if (!importers.get(file).some((text) => use.test(text)))
      faults.push(`src/${file} exports ${name}, which nobody imports`)
  }
}

function checkLines(file) {
  const tooLong = textOf(file)
    .split('\n')
    .flatMap((line, at) => (line.length > MAX_COLUMNS ? [at + 1] : []))
  if (tooLong.length > 0) faults.push(`src/${file} has lines above ${MAX_COLUMNS} columns: ${tooLong.join(', ')}`)
}

/** @returns {string[]} errors of the sources */
export function layerFaults() {
  for (const file of files) {
    const [area, folder] = file.replace(/\.tsx?$/, '').split('/')
    if (KNOWN[area] === undefined || (LAYERS[area] !== undefined && layerOf(area, folder) === -1)) {
      faults.push(`src/${file} is in no layer`)
      continue
    }
    for (const imported of importsOf(textOf(file))) checkImport(file, imported)
    checkExports(file)
    checkLines(file)
  }
  return faults
}
