/**
 * `node scripts/deploy/keep-release.mjs`, with the sources of a release: keeps the bundle of its Worker in
 * `test/fixtures/releases/`, in the place of the one before. The tests of the next release let it work on their tables.
 */
import '../require-node.mjs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { BUNDLE } from '../local/bundle.mjs'
import { root } from '../wrangler.mjs'
import { version } from './environment.mjs'

const directory = path.join(root, 'test', 'fixtures', 'releases')
await mkdir(directory, { recursive: true })
for (const name of await readdir(directory)) await rm(path.join(directory, name))
await build({
  ...BUNDLE,
  entryPoints: [path.join(root, 'src', 'index.ts')],
  outfile: path.join(directory, `${version}.js`),
  minify: true,
})
