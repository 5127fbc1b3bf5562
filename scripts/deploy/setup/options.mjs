import { parseArgs } from 'node:util'

const CHOICES = {
  location: ['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam'],
  jurisdiction: ['eu', 'fedramp'],
}

/** The service checks both again. A mistake is found before anything is made. */
const WORKSPACE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const EMAIL = /^[^\s@]+@[^\s@]+$/

/** @throws {Error} when a text is no email address */
export function requireEmail(text) {
  if (!EMAIL.test(text)) throw new Error(`"${text}" is not an email address. Nothing was changed.`)
  return text
}

/** The arguments of `npm run setup`. @throws {Error} with what is wrong about them */
export function setupOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      issuer: { type: 'string' },
      env: { type: 'string', short: 'e' },
      location: { type: 'string' },
      jurisdiction: { type: 'string' },
      workspace: { type: 'string', default: 'main' },
      admin: { type: 'string' },
      'adopt-bucket': { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
    },
  })
  for (const [option, choices] of Object.entries(CHOICES)) {
    if (values[option] !== undefined && !choices.includes(values[option]))
      throw new Error(`--${option} ${values[option]}: choose one of ${choices.join(', ')}.`)
  }
  if (values.location !== undefined && values.jurisdiction !== undefined) {
    throw new Error('Choose one of --location and --jurisdiction.')
  }
  if (!WORKSPACE.test(values.workspace)) throw new Error(`"${values.workspace}" cannot be a workspace's id.`)
  if (values.admin !== undefined) requireEmail(values.admin)
  return values
}

/**
 * Refuses if something has to be asked and nobody is there.
 *
 * @param {{ yes: boolean, admin?: string }} options
 * @param {boolean} hasTerminal to ask on
 */
export function requireAnswers({ yes, admin }, hasTerminal) {
  if (!yes && !hasTerminal) throw new Error('There is no terminal to ask on: add --yes.')
  if (yes && admin === undefined) throw new Error('Name the first admin of the workspace: --admin EMAIL')
}
