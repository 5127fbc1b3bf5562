/**
 * Part of `npm run check`: lists the licences of all dependencies, including those for development. It fails when a
 * package states no licence, or one that is not accepted, in `package-lock.json`.
 */
import './require-node.mjs'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './wrangler.mjs'

/** Accepted licences, as SPDX identifiers: permissive ones, public domain, and data with attribution. */
const ACCEPTED = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['Python-2.0', 'PSF-2.0', 'CC0-1.0', 'Unlicense', 'CC-BY-4.0'],
])

/** Weak copyleft: accepted for files and a shared library that are used unchanged, and are not passed on. */
const ACCEPTED_FOR_DEVELOPMENT = new Set([...ACCEPTED, 'MPL-2.0', 'LGPL-3.0-or-later'])

/** Whether a package is delivered. The others are only for building and testing. */
const isPartOfService = ({ dev, devOptional, optional }) => !dev && !devOptional && !optional

/** Whether one alternative of an SPDX expression has accepted licences alone. */
const isAccepted = (expression, accepted) =>
  expression
    .replace(/[()]/g, ' ')
    .split(/\sOR\s/)
    .some((alternative) =>
      alternative
        .trim()
        .split(/\s+(?:AND|WITH)\s+/)
        .every((id) => accepted.has(id)),
    )

/**
 * Groups the packages of a lock file by licence.
 *
 * @param {Record<string, any>} packages `packages` of `package-lock.json`
 * @returns {{ byLicence: Map<string, string[]>, errors: string[] }}
 */
export function survey(packages) {
  const byLicence = new Map()
  const errors = []
  for (const [location, entry] of Object.entries(packages)) {
    // The project itself, and its own parts.
    if (entry.link || !location.includes('node_modules/')) continue
    const name = `${location.slice(location.lastIndexOf('node_modules/') + 13)}@${entry.version}`
    const { license: licence } = entry
    const accepted = isPartOfService(entry) ? ACCEPTED : ACCEPTED_FOR_DEVELOPMENT
    if (!licence) errors.push(`${name} states no licence`)
    else if (!isAccepted(licence, accepted)) errors.push(`${name}: ${licence} is not in the list of accepted licences`)
    byLicence.set(licence, [...(byLicence.get(licence) ?? []), name])
  }
  return { byLicence, errors }
}

if (process.argv[1] === import.meta.filename) {
  await import('./no-arguments.mjs')
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const { byLicence, errors } = survey(lock.packages)
  for (const [licence, names] of [...byLicence].sort(([, a], [, b]) => b.length - a.length))
    process.stdout.write(`${licence}: ${names.length > 8 ? `${names.length} packages` : names.join(', ')}\n`)
  for (const error of errors) process.stderr.write(`${error}\n`)
  if (errors.length > 0) process.exitCode = 1
}
