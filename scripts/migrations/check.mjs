/**
 * Part of `npm run check`: fails when the remote side would refuse a migration, when a migration removes what the
 * Worker before it uses, or when `src/worker/storage/schema/` and the migrations differ.
 */
import '../require-node.mjs'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../wrangler.mjs'
import { driftErrors } from './drift.mjs'
import { contractionErrors } from './expand.mjs'
import { ruleErrors } from './rules.mjs'

const directory = path.join(root, 'migrations')
const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
const files = new Map(names.map((name) => [name, readFileSync(path.join(directory, name), 'utf8')]))

const errors = [
  ...[...files].flatMap(([name, text]) => ruleErrors(text).map((error) => `${name}, ${error}`)),
  ...[...files].flatMap(([name, text]) => contractionErrors(text).map((error) => `${name}: ${error}`)),
  ...driftErrors(directory),
]
if (errors.length > 0) {
  process.stderr.write(`${errors.join('\n')}\n`)
  process.exitCode = 1
}
