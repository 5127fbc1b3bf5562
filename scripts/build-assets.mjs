/**
 * Copies what `/docs` serves from the Swagger UI package to `dist/assets/docs/`: the style sheet, the script and the
 * licence texts that go with them, and none of the package's other bundles and source maps.
 *
 * `wrangler dev` runs this again whenever a source changes, and watches the result: a file is therefore written only
 * when it differs.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
]

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const source = path.join(root, 'node_modules', 'swagger-ui-dist')
const target = path.join(root, 'dist', 'assets', 'docs')

/** The file's bytes, or undefined where there is no such file. */
async function existing(file) {
  try {
    return await readFile(file)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

await mkdir(target, { recursive: true })
for (const name of await readdir(target)) {
  if (!FILES.includes(name)) await rm(path.join(target, name), { recursive: true })
}
for (const name of FILES) {
  const bytes = await readFile(path.join(source, name))
  const old = await existing(path.join(target, name))
  if (!old?.equals(bytes)) await writeFile(path.join(target, name), bytes)
}
