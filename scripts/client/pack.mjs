/**
 * Creates the installable package: the client, its types and the command line `dcs`, in one npm tarball. Dependencies
 * are bundled, with their licenses in the package. Only `./partner` needs jose as a peer.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTarGzip } from 'nanotar'
import { isolatedDeclarationSync } from 'rolldown/experimental'
import { build } from 'vite'
import { root } from '../wrangler.mjs'
import { ENDPOINT_TYPES, endpointTypes } from './types.mjs'

const client = path.join(root, 'src', 'client')

const NAME = 'dataset-catalog'

/** Vite's settings for one self-contained file. @returns {import('vite').InlineConfig} */
const settings = (options) => ({
  configFile: false,
  root,
  publicDir: false,
  logLevel: 'warn',
  build: { write: false, target: 'node20', ...options },
})

/** Vite's output file for an entry. */
const chunkOf = (result) => [result].flat()[0].output.find(({ type }) => type === 'chunk')

/** Makes the second entry use the classes of the first one. */
const useClient = {
  name: 'use-client',
  enforce: /** @type {const} */ ('pre'),
  resolveId: (source) => (source === '#client/index' ? { id: './client.js', external: true } : undefined),
}

/** One of the package's two entries: the client, and its additions for partners' servers. */
async function entryChunk(entry, plugins = []) {
  const lib = { entry: path.join(client, entry), formats: ['es'] }
  const library = settings({ lib, minify: false, rolldownOptions: { external: ['jose'] } })
  return chunkOf(await build({ ...library, plugins }))
}

async function commandChunk() {
  const output = { codeSplitting: false, banner: '#!/usr/bin/env node' }
  return chunkOf(
    await build({
      ...settings({
        ssr: path.join(root, 'src', 'cli', 'main.ts'),
        minify: true,
        rolldownOptions: { output },
      }),
      ssr: { noExternal: true, target: 'node' },
    }),
  )
}

/** Declarations of one file of the client. @throws {Error} for an export without a type of its own */
function declarationsOf(name) {
  const { code, errors } = isolatedDeclarationSync(name, readFileSync(path.join(client, name), 'utf8'))
  if (errors.length > 0) throw new Error(`src/client/${name}: ${errors.map(({ message }) => message).join('; ')}`)
  return code.replaceAll(/(from |import\()(["'])#client\/([\w-]+)\2/g, '$1$2./$3.js$2')
}

/** The license texts of the libraries in a file, by package name. */
function licencesOf(chunk) {
  const names = Object.keys(chunk.modules).flatMap(
    (file) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? [],
  )
  return [...new Set(names)].sort().map((name) => {
    const folder = path.join(root, 'node_modules', name)
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    if (file === undefined) throw new Error(`${name} has no licence text`)
    return `${name}\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`
  })
}

/** Names no package, not even as an optional peer (jose, for `./partner`): npm would ask a registry for it. */
const manifest = (version) => ({
  name: NAME,
  version,
  description: 'Client and command line of a Dataset Catalog Service.',
  license: 'UNLICENSED',
  type: 'module',
  engines: { node: '>=20' },
  // For `moduleResolution: node`, which does not read `exports`.
  main: './client.js',
  types: './types/index.d.ts',
  typesVersions: { '*': { partner: ['./types/partner.d.ts'] } },
  exports: {
    '.': { types: './types/index.d.ts', default: './client.js' },
    './partner': { types: './types/partner.d.ts', default: './partner.js' },
    './element': { types: './types/element.d.ts' },
    './react': { types: './types/element-react.d.ts' },
    './vue': { types: './types/element-vue.d.ts' },
  },
  bin: { dcs: './dcs.js' },
  sideEffects: false,
})

/** Writes the package, and `index.json` with its version, path and digest, to a folder. */
export async function packClient(folder) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const [library, partner, command, types] = await Promise.all([
    entryChunk('index.ts'),
    entryChunk('partner.ts', [useClient]),
    commandChunk(),
    endpointTypes(),
  ])
  const sources = readdirSync(client).filter((name) => name.endsWith('.ts'))
  const files = [
    { name: 'package.json', data: `${JSON.stringify(manifest(version), null, 2)}\n` },
    { name: 'README.md', data: readFileSync(path.join(root, 'docs', 'client.md')) },
    { name: 'LICENSES', data: licencesOf(command).join('\n---\n\n') },
    { name: 'client.js', data: library.code },
    { name: 'partner.js', data: partner.code },
    { name: 'dcs.js', data: command.code },
    { name: `types/${ENDPOINT_TYPES}`, data: types },
    ...sources.map((name) => ({
      name: `types/${name.replace('.ts', '.d.ts')}`,
      data: declarationsOf(name),
    })),
  ]
  // npm reads the folder `package`. The same sources always produce the same bytes.
  const data = await createTarGzip(
    files.map((file) => ({ ...file, name: `package/${file.name}` })),
    { attrs: { mtime: 0, mode: '644' } },
  )
  const name = `${NAME}-${version}.tgz`
  const hash = createHash('sha256').update(data).digest()
  const info = {
    version,
    path: `/client/${name}`,
    sha256: hash.toString('hex'),
    digest: `sha-256=:${hash.toString('base64')}:`,
  }
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, name), data)
  await writeFile(path.join(folder, 'index.json'), JSON.stringify(info))
}
