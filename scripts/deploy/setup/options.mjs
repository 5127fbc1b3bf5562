import { parseArgs } from 'node:util'

/**
 * The arguments of `npm run setup`.
 *
 * @param {string[]} args
 * @param {boolean} hasTerminal to ask on
 * @throws {Error} with what is wrong about them
 */
export function setupOptions(args, hasTerminal) {
  const { values } = parseArgs({
    args,
    options: {
      issuer: { type: 'string' },
      env: { type: 'string', short: 'e' },
      location: { type: 'string' },
      jurisdiction: { type: 'string' },
      workspace: { type: 'string', default: 'main' },
      admin: { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
  })
  if (values.location !== undefined && values.jurisdiction !== undefined) {
    throw new Error('Choose one of --location and --jurisdiction.')
  }
  if (!values.yes && !hasTerminal) throw new Error('There is no terminal to ask on: add --yes.')
  if (values.yes && values.admin === undefined) {
    throw new Error('Name the first admin of the workspace: --admin EMAIL')
  }
  return values
}
