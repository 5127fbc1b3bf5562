import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { version } from '../../package.json'
import { isSystemError } from './exits'
import { writeWhole } from './files'
import type { Output } from './output'
import { profilesFile } from './settings'

/** How often a service is asked for its version, in milliseconds. */
const ASK_MS = 24 * 3_600_000

/** How long it may take to answer, in milliseconds. */
const TIMEOUT_MS = 3000

/** What is known of services, by their addresses: when they were asked, and which version a person has read of. */
type Known = Readonly<Record<string, { asked_at: number; named?: string }>>

const numbersOf = (text: string): number[] => text.split(/[.-]/).slice(0, 3).map(Number)

/** Whether one version is later than another: `2.10.0` than `2.9.3`. */
export function isLater(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)]
  const at = a.findIndex((number, i) => number !== b[i])
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0)
}

async function readKnown(file: string): Promise<Known> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error)) return {}
    throw error
  }
}

interface Package {
  version: string
  path: string
}

const isPackage = (value: unknown): value is Package =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  typeof value.version === 'string' &&
  'path' in value &&
  typeof value.path === 'string'

/** What a service has. @returns undefined if it does not say: the command itself tells of a service that is gone */
async function packageOf(baseUrl: string): Promise<Package | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(`${baseUrl}/client/`, { signal }).catch(() => undefined)
  if (answer?.ok !== true) return undefined
  const found: unknown = await answer.json().catch(() => undefined)
  return isPackage(found) ? found : undefined
}

/**
 * Says once that a service has a later version of this program. Asks at most once a day, and says nothing where that
 * cannot be remembered: it would be said each night.
 */
export async function nameNewer(baseUrl: string, output: Output): Promise<void> {
  const file = path.join(path.dirname(profilesFile(output.shell.env)), 'services.json')
  try {
    const known = await readKnown(file)
    const before = known[baseUrl]
    if (before !== undefined && Date.now() - before.asked_at < ASK_MS) return
    const theirs = await packageOf(baseUrl)
    const isNews =
      theirs !== undefined && isLater(theirs.version, version) && before?.named !== theirs.version
    const named = isNews ? theirs.version : before?.named
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    const now = { asked_at: Date.now(), ...(named !== undefined && { named }) }
    await writeWhole(file, `${JSON.stringify({ ...known, [baseUrl]: now })}\n`, 0o600)
    if (isNews) {
      // With its number: npx never fetches an address again.
      output.note(
        `The service has dcs ${theirs.version}, and this is ${version}. Take it with npx or npm install --global from ${baseUrl}${theirs.path}`,
      )
    }
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}
