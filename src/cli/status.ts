import type { Data } from '#client/api'
import type { CatalogClient } from '#client/catalog-client'
import { RECORD_TYPES, type RecordTypeName } from '#shared/records/record-type'
import { cliErrorOf, EXIT, type ExitCode } from './exits'
import type { Output } from './output'
import type { Connection } from './settings'
import { countsText } from './write-result'

type Status = Data<'get', '/admin/catalogs/v1/'>['items'][number]

/** One line per catalog. */
function statusLine({ type, active_records, revision, last_write }: Status): string {
  const written = last_write === null ? 'never written' : `written ${last_write.created_at} by ${last_write.created_by}`
  return `${type.padEnd(10)}  ${String(active_records).padStart(7)} active  revision ${revision}  ${written}`
}

/** Prints the state of the catalogs. */
export async function status({ client }: Connection, output: Output): Promise<ExitCode> {
  const { items } = await client.get('/admin/catalogs/v1/')
  return output.result(items.map(statusLine).join('\n'), { exit: EXIT.done, catalogs: items })
}

/** The names of exit codes 0, 1 and 2 in monitoring systems (Nagios, Icinga, Zabbix). */
const CHECK_STATES = ['OK', 'WARNING', 'CRITICAL'] as const

/** Most pending uploads that a check names. */
const HELD_LIMIT = 100

/** Outcomes of a job's newest file that need no action, or are reported in a different way. */
const SETTLED: readonly string[] = ['written', 'unchanged', 'approved', 'discarded', 'held']

export interface CheckOptions {
  /** Catalogs that need no sync monitoring, or `all`. */
  allowUnwatched?: readonly string[]
}

interface Trouble {
  level: 1 | 2
  text: string
}

/** Why a catalog needs attention: it is late, an upload is pending, or a job's newest file was not written. */
async function troublesOf(
  client: CatalogClient,
  { type, sync }: Status,
  { allowUnwatched = [] }: CheckOptions,
): Promise<Trouble[]> {
  const { items } = await client.get('/admin/catalogs/v1/{type}/uploads', {
    params: { type },
    query: { outcome: 'held', limit: HELD_LIMIT },
  })
  const troubles = items.map(
    ({ upload_id }): Trouble => ({ level: 1, text: `${type}: the upload ${upload_id} is pending` }),
  )
  const { state, due_at, last_upload } = sync
  if (state === 'unwatched' && !allowUnwatched.some((name) => name === type || name === 'all')) {
    const ignore = `to ignore this: --allow-unwatched ${type}`
    const text = `${type}: sync monitoring is off, so missing files are not reported (${ignore})`
    troubles.push({ level: 1, text })
  }
  if (state === 'late') troubles.push({ level: 2, text: `${type}: no sync since it was due, ${due_at}` })
  if (last_upload !== null && !SETTLED.includes(last_upload.outcome)) {
    const { outcome, last_at } = last_upload
    troubles.push({ level: 1, text: `${type}: the newest file was not written (${outcome}, ${last_at})` })
  }
  return troubles
}

/**
 * Prints the state of the catalogs for a monitoring system: 0 everything is fine, 1 a user should look, 2 a catalog is
 * late, or its state is unknown.
 */
export async function check(
  connect: () => Promise<Connection>,
  output: Output,
  options: CheckOptions,
): Promise<ExitCode> {
  const say = (exit: 0 | 1 | 2, what: string, more: Readonly<Record<string, unknown>> = {}) => {
    const state = CHECK_STATES[exit]
    return output.result(`${state} - ${what}`, { exit, state, ...more })
  }
  try {
    const { client } = await connect()
    const { items } = await client.get('/admin/catalogs/v1/')
    const missing = RECORD_TYPES.filter((name) => !items.some(({ type }) => type === name))
    if (missing.length > 0) return say(2, `the response does not contain ${missing.join(', ')}`)
    const troubles = (await Promise.all(items.map((each) => troublesOf(client, each, options)))).flat()
    if (troubles.length === 0) {
      return say(0, items.map(({ type, active_records }) => `${active_records} ${type}`).join(', '), {
        catalogs: items,
      })
    }
    const level = troubles.some((trouble) => trouble.level === 2) ? 2 : 1
    return say(level, troubles.map(({ text }) => text).join('; '), { troubles, catalogs: items })
  } catch (error) {
    const { exit, message } = cliErrorOf(error, output.shell.env)
    if (exit === EXIT.defect || exit >= EXIT.interrupted) throw error
    return say(2, message)
  }
}

interface RestoreOptions {
  revision: number
  yes?: boolean
  confirmShrink?: boolean
}

/** Restores a catalog to a revision. Without `--yes`, only shows what that would change. */
export async function restore(
  { client }: Connection,
  output: Output,
  type: RecordTypeName,
  { revision, yes, confirmShrink }: RestoreOptions,
): Promise<ExitCode> {
  const result = await client.post('/admin/catalogs/v1/{type}/restore', {
    params: { type },
    query: { revision, confirm_shrink: confirmShrink, dry_run: !yes },
  })
  const done = yes ? `Done. The revision is ${result.revision}.` : 'Nothing was changed. To restore it, add --yes.'
  const text = `${type}, restored to revision ${revision}: ${countsText(result)}. ${done}`
  return output.result(text, { exit: EXIT.done, [yes ? 'written' : 'plan']: result })
}
