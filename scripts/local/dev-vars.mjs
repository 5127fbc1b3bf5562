import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { newSigningKey } from '../signing-key.mjs'

/** How each secret is made. An opaque one has 32 random bytes. */
const GENERATORS = {
  PLATFORM_ADMIN_TOKEN: () => randomBytes(32).toString('base64url'),
  SIGNING_KEYS: () => `'${JSON.stringify([newSigningKey()])}'`,
  MASTER_KEY: () => randomBytes(32).toString('base64url'),
}

/** The secrets of a service without a login provider. */
export const SECRET_NAMES = Object.keys(GENERATORS)

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Makes sure that a file of secrets has every secret. Existing secrets stay unchanged; missing ones are made.
 * Makes the file readable for its owner only.
 *
 * @param {string} file path of `.dev.vars`, or of those of a deployment
 * @returns {{ vars: Record<string, string>, created: string[] }} all variables, and the names of those just made
 */
export function ensureDevVars(file) {
  const text = readText(file)
  const present = parseEnv(text ?? '')
  const missing = SECRET_NAMES.filter((name) => !present[name])
  if (missing.length > 0) {
    const lines = missing.map((name) => `${name}=${GENERATORS[name]()}\n`).join('')
    if (text === undefined) writeFileSync(file, lines, { mode: 0o600, flag: 'wx' })
    else appendFileSync(file, text === '' || text.endsWith('\n') ? lines : `\n${lines}`)
  }
  chmodSync(file, 0o600)
  return { vars: parseEnv(readFileSync(file, 'utf8')), created: missing }
}
