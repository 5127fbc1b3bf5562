/**
 * `npm run check:dependencies`: reads the state of all dependencies, as the registry knows it today: known
 * weaknesses, packages that are given up, releases behind, and the age of what is part of the service. It fails when
 * the service has a dependency with a known weakness or one that is given up, and when the registry does not answer.
 * The licences, which need no network, are in `npm run check`.
 */
import './require-node.mjs'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { isPartOfService } from './licences.mjs'
import { root } from './wrangler.mjs'

/** Without a release for so long, a package is named. In milliseconds. */
const OLD_MS = 2 * 365 * 86_400_000

const say = (text) => process.stdout.write(`${text}\n`)
const run = promisify(execFile)

/** The JSON that npm prints. It ends with 1 both for findings and for faults. */
async function npm(...words) {
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 }
  const output = await run('npm', [...words, '--json'], options).catch((error) => error)
  try {
    return JSON.parse(output.stdout || '{}')
  } catch (cause) {
    throw new Error(`npm ${words.join(' ')} failed:\n${output.stderr}`, { cause })
  }
}

/** The packages of the lock file that a release contains. */
const deliveredIn = (packages) =>
  Object.entries(packages)
    .filter(([location, entry]) => location !== '' && !entry.link && isPartOfService(entry))
    .map(([location]) => location.slice(location.lastIndexOf('node_modules/') + 13))

/**
 * Known weaknesses.
 *
 * @param {any} report of `npm audit`
 * @param {string[]} delivered names of packages that are part of the service
 * @returns {{ errors: string[], notes: string[] }} an error for what is part of the service
 * @throws {Error} when the registry told nothing
 */
export function weaknesses(report, delivered) {
  if (report.vulnerabilities === undefined) {
    throw new Error(`the registry does not tell of known weaknesses: ${report.message ?? 'no answer'}`)
  }
  const found = Object.values(report.vulnerabilities).map(({ name, severity, via, fixAvailable }) => {
    const titles = via.map((each) => each.title ?? `through ${each}`).join('; ')
    const text = `${name}: ${severity}, ${titles}${fixAvailable ? ' (npm audit fix mends it)' : ''}`
    return { text, isError: delivered.includes(name) }
  })
  return {
    errors: found.filter(({ isError }) => isError).map(({ text }) => text),
    notes: found.filter(({ isError }) => !isError).map(({ text }) => `${text}; not part of the service`),
  }
}

/**
 * Packages that their makers have given up.
 *
 * @param {Record<string, any>} packages of the lock file
 * @returns {{ errors: string[], notes: string[] }}
 */
export function givenUp(packages) {
  const found = Object.entries(packages).filter(([, { deprecated }]) => deprecated)
  const text = ([location, { version, deprecated }]) =>
    `${location.replace(/^.*node_modules\//, '')}@${version} is given up: ${deprecated}`
  return {
    errors: found.filter(([, entry]) => isPartOfService(entry)).map(text),
    notes: found.filter(([, entry]) => !isPartOfService(entry)).map(text),
  }
}

/**
 * Releases that a direct dependency is behind.
 *
 * @param {Record<string, { current?: string, latest: string }>} report of `npm outdated`
 * @returns {string[]}
 */
export const behind = (report) =>
  Object.entries(report)
    .filter(([, { current, latest }]) => current !== undefined && current !== latest)
    .map(([name, { current, latest }]) => `${name} ${current}: ${latest} is the newest`)

/**
 * @param {string} name
 * @param {Record<string, string>} times of its releases, from `npm view NAME time`
 * @param {number} now
 * @returns {string[]} a note if the newest is old
 */
export function age(name, { created: _, modified: __, ...times }, now) {
  const newest = Math.max(...Object.values(times).map(Date.parse))
  if (now - newest < OLD_MS) return []
  return [`${name}: no release since ${new Date(newest).toISOString().slice(0, 10)}`]
}

async function main() {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const errors = []
  const note = (texts) => texts.map(say)
  const read = async (what) => {
    try {
      await what()
    } catch (error) {
      errors.push(error.message)
    }
  }
  const take = (found) => {
    errors.push(...found.errors)
    note(found.notes)
  }
  take(givenUp(lock.packages))
  await read(async () => take(weaknesses(await npm('audit'), deliveredIn(lock.packages))))
  await read(async () => note(behind(await npm('outdated'))))
  for (const name of Object.keys(dependencies)) {
    await read(async () => note(age(name, await npm('view', name, 'time'), Date.now())))
  }
  for (const error of errors) process.stderr.write(`${error}\n`)
  say(`${Object.keys(lock.packages).length - 1} packages, ${errors.length} errors`)
  process.exitCode = errors.length > 0 ? 1 : 0
}

if (process.argv[1] === import.meta.filename) await main()
