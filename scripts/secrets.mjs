/** The secrets of a service: how they are created, and the files that contain them and other credentials. */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import util from 'node:util'
import { writeWhole } from '#cli/write-whole'

/** A new private ES256 key as a JWK (RFC 7517; RFC 7518, section 6.2) with a key ID. */
export function newSigningKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', use: 'sig' }
}

const newKey = () => randomBytes(32).toString('base64url')

/** The secrets of a service without a login provider. */
export const newSecrets = () => ({
  PLATFORM_ADMIN_TOKEN: newKey(),
  SIGNING_KEYS: JSON.stringify([newSigningKey()]),
  MASTER_KEY: newKey(),
})

export const SECRET_NAMES = Object.keys(newSecrets())

/** Permissions of a file with secrets. */
const OWNER_ONLY = 0o600

/** The secrets in a file; none if the file does not exist. @returns {Record<string, string>} */
export const readSecrets = (file) => (existsSync(file) ? util.parseEnv(readFileSync(file, 'utf8')) : {})

/**
 * Makes sure that a file contains every secret. Existing secrets stay unchanged, missing ones are created. Only its
 * owner can read the file.
 *
 * @param {string} file path of `.dev.vars`, or of a deployment's secrets
 * @returns {Promise<{ vars: Record<string, string>, created: string[] }>} all variables, and the names of the new ones
 */
export async function ensureSecrets(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const present = util.parseEnv(text)
  const missing = Object.entries(newSecrets()).filter(([name]) => !present[name])
  if (missing.length > 0) {
    // Single quotes keep the double quotes of JSON.
    const lines = missing.map(([name, value]) => `${name}=${value.startsWith('[') ? `'${value}'` : value}\n`).join('')
    await writeWhole(file, text === '' || text.endsWith('\n') ? text + lines : `${text}\n${lines}`, OWNER_ONLY)
  }
  chmodSync(file, OWNER_ONLY)
  return { vars: readSecrets(file), created: missing.map(([name]) => name) }
}

/**
 * The content of a JSON file whose data is shown only once. @returns {Promise<any>} undefined if the file does not
 * exist
 */
export async function readJson(file) {
  let text
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is damaged. Delete it, and run the command again: its content is created again.`, {
      cause,
    })
  }
}

/** Writes the whole JSON file or nothing. Only its owner can read it. */
export const writeJson = (file, content) => writeWhole(file, `${JSON.stringify(content, null, 2)}\n`, OWNER_ONLY)
