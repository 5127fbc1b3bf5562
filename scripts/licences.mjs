/** The check of the licences of all dependencies, including those for development. */
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
 * @param {Record<string, any>} packages `packages` of `package-lock.json`
 * @returns {string[]} packages that state no licence, or one that is not accepted
 */
export function licenceErrors(packages) {
  // The others are the project itself, and its own parts.
  const dependencies = Object.entries(packages).filter(
    ([location, { link }]) => !link && location.includes('node_modules/'),
  )
  return dependencies.flatMap(([location, entry]) => {
    const name = `${location.slice(location.lastIndexOf('node_modules/') + 13)}@${entry.version}`
    const { license: licence } = entry
    if (!licence) return [`${name} states no licence`]
    const accepted = isPartOfService(entry) ? ACCEPTED : ACCEPTED_FOR_DEVELOPMENT
    return isAccepted(licence, accepted) ? [] : [`${name}: ${licence} is not in the list of accepted licences`]
  })
}

export const checkLicences = () =>
  licenceErrors(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages)
