/**
 * Part of `npm run check`: fails when the remote side would refuse a migration, when a migration in the list of
 * digests was edited, when one takes too long on a million records, or when `src/worker/storage/schema/` or
 * `docs/schema.sql` and the migrations differ. With `--record`, new migrations are measured and added to the lists
 * first; `--measure` measures all again.
 */
import '../require-node.mjs'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../wrangler.mjs'
import { DIGESTS_FILE, digestErrors, digestOf, formatDigests, listErrors, parseDigests } from './digests.mjs'
import { driftErrors } from './drift.mjs'
import { contractionErrors } from './expand.mjs'
import { timesOf } from './filled.mjs'
import { ruleErrors } from './rules.mjs'
import { schemaErrors } from './schema.mjs'
import { formatSeconds, measure, parseSeconds, SECONDS_FILE, secondsErrors } from './seconds.mjs'

const directory = path.join(root, 'migrations')
const list = path.join(directory, DIGESTS_FILE)
const secondsList = path.join(directory, SECONDS_FILE)

/** The list as it was last committed; empty when there is no git, or no commit with a list. */
function committedDigests() {
  const { status, stdout } = spawnSync('git', ['show', `HEAD:migrations/${DIGESTS_FILE}`], {
    cwd: root,
    encoding: 'utf8',
  })
  return parseDigests(status === 0 ? stdout : '')
}

function record(digests, files) {
  for (const [name, text] of files) if (!digests.has(name)) digests.set(name, digestOf(text))
  writeFileSync(list, formatDigests(digests))
}

const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
const files = new Map(names.map((name) => [name, readFileSync(path.join(directory, name), 'utf8')]))
const digests = parseDigests(readFileSync(list, 'utf8'))
let seconds = parseSeconds(readFileSync(secondsList, 'utf8'))
const measures = process.argv.includes('--measure')
if (process.argv.includes('--record')) record(digests, files)
if (measures || (process.argv.includes('--record') && names.some((name) => !seconds.has(name)))) {
  const measured = await measure(timesOf)
  seconds = measures ? measured : new Map([...measured, ...seconds])
  writeFileSync(secondsList, formatSeconds(seconds))
}

const errors = [
  ...[...files].flatMap(([name, text]) => ruleErrors(text).map((error) => `${name}, ${error}`)),
  ...[...files].flatMap(([name, text]) => contractionErrors(name, text).map((error) => `${name}: ${error}`)),
  ...digestErrors(digests, files),
  ...listErrors(committedDigests(), digests),
  ...secondsErrors(seconds, names),
  ...driftErrors(directory),
  ...(await schemaErrors()),
]
if (errors.length > 0) {
  process.stderr.write(`${errors.join('\n')}\n`)
  process.exitCode = 1
}
