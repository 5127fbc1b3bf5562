/** The actions of a client, one after another, each chosen by the seed. */
import { CONTROL, SCHEDULED_PATH } from '../../scripts/local/control.mjs'
import { markerOf, queryOf, recordsOf, writeOf } from './bodies.mjs'
import { DECISIONS, send, UPLOADS } from './requests.mjs'

const DATASETS = '/admin/datasets/v1'
const CATALOGS = '/admin/catalogs/v1'

/** Error responses that a caller must expect: too many requests, and requests at a bad moment. */
const BUSY = [429, 503, 504]

/** @returns {any} `data` of a complete success response, otherwise undefined */
const dataOf = ({ status, text, isWhole }) => (status === 200 && isWhole ? JSON.parse(text).data : undefined)

/** The pending upload according to the response to the dry run, or to the write that the guard blocked. */
function heldBy({ text, isWhole }) {
  if (!isWhole || !text.includes('"held_until"')) return undefined
  const { data, errors } = JSON.parse(text)
  return (data ?? errors[0]).upload_id
}

/**
 * Works until it should stop.
 *
 * @param {{ random: import('./random.mjs').Random, origin: string, workspace: any, number: number,
 *   report: (text: string) => void, count: (what: string) => void, isStopping: () => boolean }} options
 */
export async function work({ random, origin, workspace, number, report, count, isStopping }) {
  let turn = 0

  /** Sends a request, and checks the response against the rules for all responses. */
  async function call(target, init = {}, allowed = [200]) {
    const headers = { ...workspace.headers, ...init.headers }
    const answer = await send(random, origin + target, { ...init, headers })
    const { status, text } = answer
    count(status === 0 ? `no answer (${answer.manner})` : `${init.method ?? 'GET'} ${status}`)
    const what = `${workspace.id} ${target}: ${status}`
    for (const other of workspace.others)
      if (text.includes(markerOf(other))) report(`${what} shows a record of another workspace`)
    // An error of the runtime itself is not a response of the service.
    const isOurs = answer.headers['x-request-id'] !== undefined
    if (isOurs && [429, 503].includes(status) && answer.headers['retry-after'] === undefined)
      report(`${what} without Retry-After`)
    if (isOurs && ![...allowed, ...BUSY].includes(status) && !isStopping()) report(`${what} ${text.slice(0, 300)}`)
    return answer
  }

  /**
   * Records what a response says about a write. Without a response, the outcome is open, unless the request was
   * incomplete.
   */
  function note(ledger, attempt, answer) {
    const data = dataOf(answer)
    attempt.heldAs = heldBy(answer)
    if (['leave', 'stall for good'].includes(answer.manner)) attempt.impossible = true
    if (attempt.heldAs !== undefined) count('file held')
    else if (data?.dry_run === false) {
      attempt.answer = data
      ledger.seen = Math.max(ledger.seen, data.revision)
    } else if ([400, 409, 429].includes(answer.status)) attempt.refused = true
  }

  async function write(ledger) {
    const mode = random.chance(0.15) ? 'reconcile' : 'upsert'
    const most = random.chance(0.04) ? [1000, 2500] : [0, 40]
    const size = mode === 'reconcile' ? random.between(100, 800) : random.between(...most)
    const records = recordsOf(random, workspace.index, `w${number}t${turn++}`, size)
    const isHeld = random.chance(0.2)
    const expected = !isHeld && random.chance(0.2) ? ledger.seen + random.between(0, 1) : null
    const confirmed = random.chance(0.5)
    const { bytes, init } = writeOf(random, ledger.type, records, ledger.isFree)
    const attempt = ledger.open({ mode, bytes, records, expected, confirmed })
    const query = new URLSearchParams({ type: ledger.type, mode, confirm_shrink: String(confirmed) })
    if (expected !== null) query.set('expected_revision', String(expected))
    if (isHeld) for (const option of ['dry_run', 'hold']) query.set(option, 'true')
    const answer = await call(`${DATASETS}/?${query}`, { ...init, manners: UPLOADS }, [200, 400, 409])
    if (answer.status === 400 && answer.manner === 'whole')
      report(`${ledger.name}: a valid write was refused: ${answer.text.slice(0, 300)}`)
    note(ledger, attempt, answer)
  }

  /** A dry run, or a write with one bad record among good ones. Neither may store anything. */
  async function writeNothing(ledger) {
    const isDryRun = random.chance(0.6)
    const records = recordsOf(random, workspace.index, 'never', random.between(isDryRun ? 0 : 1, 100))
    if (!isDryRun) random.of(records).fields.name = ''
    const { bytes, init } = writeOf(random, ledger.type, records, ledger.isFree)
    ledger.open({ mode: 'upsert', bytes, impossible: true, refused: true })
    const diff = random.of(['', '&include=diff', '&mode=reconcile&include=diff&format=csv'])
    const target = `${DATASETS}/?type=${ledger.type}${isDryRun ? `&dry_run=true${diff}` : ''}`
    // A diff file breaks off, or is rejected, if the catalog changes in the meantime.
    await call(target, init, isDryRun ? [200, 409] : [400])
  }

  async function restore(ledger) {
    const target = Math.max(0, ledger.seen - random.between(0, 30))
    const path = `${CATALOGS}/${ledger.type}/restore?revision=${target}&confirm_shrink=true`
    const preview = `${path}&dry_run=true${random.of(['', '&include=diff', '&include=diff&format=csv'])}`
    if (random.chance(0.5)) return call(preview, { method: 'POST' }, [200, 409])
    const attempt = ledger.open({ mode: 'restore', target, confirmed: true })
    return note(ledger, attempt, await call(path, { method: 'POST', manners: DECISIONS }))
  }

  /** Two users who see the same list decide about a pending upload at the same time. */
  async function decide(ledger) {
    const uploads = `${CATALOGS}/${ledger.type}/uploads`
    const waiting = dataOf(await call(`${uploads}?outcome=held&limit=10`))?.items ?? []
    if (waiting.length === 0) return
    const { upload_id, size_bytes } = random.of(waiting)
    const attempt = ledger.waits(size_bytes)
    const decideOnce = async () => {
      const discards = random.chance(0.3)
      const confirms = !discards && random.chance(0.7)
      attempt.confirmed ||= confirms
      const path = discards ? '' : `/write${confirms ? '?confirm_shrink=true' : ''}`
      const init = { method: discards ? 'DELETE' : 'POST', manners: DECISIONS }
      const answer = await call(`${uploads}/${upload_id}${path}`, init, [200, 409, 410])
      if (answer.status !== 200) return
      count(`file ${discards ? 'discarded' : 'approved'}`)
      // If two discard it at the same time, both are told that it is discarded.
      if (attempt.answer || (attempt.discarded && !discards)) report(`upload ${upload_id} ended twice`)
      if (discards) attempt.discarded = true
      else attempt.answer = dataOf(answer)
    }
    await Promise.all([decideOnce(), decideOnce()])
  }

  function read({ type, seen }) {
    const id = `r${random.between(0, 950)}`
    const query = encodeURIComponent(queryOf(random, workspace.index))
    const list = `${DATASETS}/?type=${type}`
    return call(
      random.of([
        ...[`${DATASETS}/${id}/?type=${type}`, `${CATALOGS}/${type}/records/${id}/history`],
        ...[`${list}&limit=${random.between(1, 1000)}&offset=${random.between(0, 500)}`, `${list}&show_inactive=1`],
        ...[`${list}&q=${query}`, `${list}&q=${query}&format=csv`, `${list}&format=csv&show_inactive=1`],
        ...[`/medical-db/v1/search/?type=${type}&q=${query}&limit=50`, `${DATASETS}/batches/?type=${type}`],
        ...[`${CATALOGS}/${type}/changes?since_revision=${Math.max(0, seen - 20)}`, `${CATALOGS}/`],
        `${CATALOGS}/${type}/writes?limit=50`,
      ]),
      {},
      [200, 404],
    )
  }

  const actions = { write, writeNothing, restore, decide, read, runSchedule: () => call(SCHEDULED_PATH, CONTROL) }
  const weights = { write: 30, writeNothing: 15, restore: 5, decide: 8, read: 40, runSchedule: 1 }
  while (!isStopping()) await actions[random.weighted(weights)](random.of(workspace.ledgers))
}
