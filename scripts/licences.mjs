/**
 * Part of `npm run check`: lists the licences of all dependencies, including those for development. It fails when a
 * package states no licence, or one that is not in the list below. It reads `package-lock.json`, and the package
 * itself if its entry there has no licence.
 */
import './require-node.mjs'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './wrangler.mjs'

/** Accepted licences, as SPDX identifiers, with the reason. */
/** @type {Map<string, string>} */
const KNOWN = new Map(
  /** @type {[string, string][]} */ ([
    ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'].map((id) => [
      id,
      'permissive',
    ]),
    ...['CC0-1.0', 'Unlicense'].map((id) => [id, 'public domain']),
    ['CC-BY-4.0', 'data, with attribution'],
    ['Python-2.0', 'permissive'],
    ['PSF-2.0', 'permissive'],
    // They cover files (MPL) and a shared library (LGPL) that are used unchanged, for development only, and are not
    // passed on.
    ['MPL-2.0', 'weak copyleft, development only'],
    ['LGPL-3.0-or-later', 'weak copyleft, development only'],
  ]),
)

const WEAK_COPYLEFT = new Set(['MPL-2.0', 'LGPL-3.0-or-later'])

/** The identifiers of an SPDX expression, as the alternatives that it offers. */
const alternatives = (expression) =>
  expression
    .replace(/[()]/g, ' ')
    .split(/\sOR\s/)
    .map((each) => each.split(/\s+/).filter((word) => word !== '' && word !== 'AND' && word !== 'WITH'))

function statedLicence(location, entry) {
  if (entry.license) return entry.license
  try {
    const { license, licenses } = JSON.parse(readFileSync(path.join(root, location, 'package.json'), 'utf8'))
    const stated = license ?? licenses?.map((each) => each.type ?? each).join(' OR ')
    return typeof stated === 'object' ? stated.type : stated
  } catch (error) {
    // An optional package of another system.
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Whether a package is delivered. The others are only for building and testing. */
export const isPartOfService = ({ dev, devOptional, optional }) => !dev && !devOptional && !optional

/**
 * Groups the packages of a lock file by licence.
 *
 * @param {Record<string, any>} packages `packages` of `package-lock.json`
 * @param {(location: string, entry: any) => string | undefined} licenceOf
 * @returns {{ byLicence: Map<string, string[]>, errors: string[] }}
 */
export function survey(packages, licenceOf = statedLicence) {
  const byLicence = new Map()
  const errors = []
  for (const [location, entry] of Object.entries(packages)) {
    // The project itself, and its own parts.
    if (entry.link || !location.includes('node_modules/')) continue
    const name = `${location.slice(location.lastIndexOf('node_modules/') + 13)}@${entry.version}`
    const licence = licenceOf(location, entry)
    if (!licence) {
      errors.push(`${name} states no licence`)
      continue
    }
    const known = alternatives(licence).filter((ids) => ids.every((id) => KNOWN.has(id)))
    if (known.length === 0) errors.push(`${name}: ${licence} is not in the list of known licences`)
    else if (isPartOfService(entry) && known.every((ids) => ids.some((id) => WEAK_COPYLEFT.has(id)))) {
      errors.push(`${name}: ${licence} is accepted for development only, but this package is part of the service`)
    }
    byLicence.set(licence, [...(byLicence.get(licence) ?? []), name])
  }
  return { byLicence, errors }
}

function main() {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const { byLicence, errors } = survey(lock.packages)
  const lines = [...byLicence].sort(([, a], [, b]) => b.length - a.length)
  for (const [licence, names] of lines) {
    const some = names.length > 8 ? `${names.length} packages` : names.join(', ')
    process.stdout.write(`${licence}: ${some}\n`)
  }
  for (const error of errors) process.stderr.write(`${error}\n`)
  process.exitCode = errors.length > 0 ? 1 : 0
}

if (process.argv[1] === import.meta.filename) {
  await import('./no-arguments.mjs')
  main()
}
