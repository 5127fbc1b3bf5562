import { InvalidArgumentError, Option } from 'commander'
import { command, withEnvironment } from '../../script.mjs'

const LOCATIONS = ['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam']
const JURISDICTIONS = ['eu', 'fedramp']

/** The service checks both again. Here, errors are found before anything is created. */
const WORKSPACE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const EMAIL = /^[^\s@]+@[^\s@]+$/

/** @throws {Error} if a text is not an email address */
export function requireEmail(text) {
  if (!EMAIL.test(text)) throw new InvalidArgumentError(`"${text}" is not an email address. Nothing was changed.`)
  return text
}

function requireWorkspace(text) {
  if (!WORKSPACE.test(text)) throw new InvalidArgumentError(`"${text}" cannot be a workspace's ID.`)
  return text
}

export const setupCommand = () =>
  withEnvironment(command('setup', 'From an empty account to a running service. See docs/deploying.md.'))
    .option('--issuer <address>', 'public address of the service, such as https://catalog.example.com')
    .addOption(
      new Option('--location <place>', 'where the data are, as a hint').choices(LOCATIONS).conflicts('jurisdiction'),
    )
    .addOption(new Option('--jurisdiction <place>', 'where the data must stay').choices(JURISDICTIONS))
    .option('--workspace <id>', 'the first workspace', requireWorkspace, 'main')
    .option('--admin <email>', 'the first admin of the workspace', requireEmail)
    .option('--adopt-bucket', 'use a bucket whose objects have no mark')
    .option('--yes', 'ask nothing')

/**
 * Stops if a question is necessary and no user can answer.
 *
 * @param {{ yes?: boolean, admin?: string }} options
 * @param {boolean} hasTerminal whether a user can be asked
 */
export function requireAnswers({ yes, admin }, hasTerminal) {
  if (!yes && !hasTerminal) throw new Error('There is no terminal to ask on: add --yes.')
  if (yes && admin === undefined) throw new Error('Name the first admin of the workspace: --admin EMAIL')
}
