/**
 * The layers of `src`, and a check: imports run downwards only. A folder of `src`, or of `src/worker`, may import from
 * itself, from folders of its own layer and from those of the layers below.
 */
import './require-node.mjs'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './wrangler.mjs'

/** Each list begins with the lowest layer. The programs and the client know the Worker by its types alone. */
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

/** What a program or a library of `src` may import: folders of `src`, and packages. */
const KNOWN = {
  shared: /^#shared\/|^\.|^(?:zod|papaparse|fastest-levenshtein)$/,
  files: /^#(?:shared|files)\/|^\.|^(?:@e965\/xlsx|fflate|crc-32|htmlparser2|papaparse|fastest-levenshtein)$/,
  worker: /^#(?:shared|worker)\/|^\.|^[^#.]/,
  client: /^#(?:shared|client)\/|^\.|^[^#.]/,
  cli: /^#(?:shared|files|client|cli)\/|^\.|^[^#.]/,
  console: /^#(?:shared|files|client|console)\/|^\.|^[^#.]/,
  element: /^#(?:shared|client|element)\/|^\.|^[^#.]/,
}

/** The one file that hands the types of the endpoints to the client. */
const ENDPOINT_TYPES = 'client/described.ts'

const source = path.join(root, 'src')
const faults = []
const layerOf = (area, folder) => LAYERS[area].findIndex((folders) => folders.includes(folder))

function checkImport(file, imported) {
  const [area, folder] = file.replace(/\.tsx?$/, '').split('/')
  if (!KNOWN[area].test(imported) && file !== ENDPOINT_TYPES) {
    faults.push(`src/${file} imports ${imported}, which ${area} does not know`)
  }
  const [, target, below] = /^#([\w-]+)\/([\w-]+)/.exec(imported) ?? []
  if (target !== area || LAYERS[area] === undefined) return
  if (layerOf(area, below) > layerOf(area, folder)) {
    faults.push(`src/${file} imports ${imported} from a layer above`)
  }
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
  const [area, folder] = file.replace(/\.tsx?$/, '').split('/')
  if (KNOWN[area] === undefined || (LAYERS[area] !== undefined && layerOf(area, folder) === -1)) {
    faults.push(`src/${file} is in no layer`)
    continue
  }
  const text = readFileSync(path.join(source, file), 'utf8')
  for (const [, imported] of text.matchAll(
    /^\s*(?:import|export|\}) .*?from '([^']+)'|\bimport\('([^']+)'\)/gm,
  )) {
    if (imported) checkImport(file, imported)
  }
}
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\nSee the layers in docs/architecture.md.\n`)
  process.exit(1)
}
