/** What a client does: one action after another, each chosen by the seed. */
import { CONTROL, SCHEDULED_PATH } from '../../scripts/local/control.mjs'
import { bodyOf, markerOf, queryOf, recordsOf } from './bodies.mjs'
import { DECISIONS, DOWNLOADS, PAUSES, UPLOADS } from './connection.mjs'

const DATASETS = '/admin/datasets/v1'
const CATALOGS = '/admin/catalogs/v1'

/** Answers that a caller has to expect, besides success: asked too much, and asked at a bad moment. */
const BUSY = [429, 503, 504]

/** The upload of a file that waits, according to the answer to the dry run or to the write that the guard stopped. */
function heldBy({ text, whole }) {
  if (!whole || !text.includes('"held_until"')) return undefined
  const { data, errors } = JSON.parse(text)
  return (data ?? errors[0]).upload_id
}

export class Client {
  #random
  #connection
  #rival
  #workspace
  #number
  #say
  #turn = 0

  /**
   * @param {{ random: import('./random.mjs').Random, connection: import('./connection.mjs').Connection,
   * rival: import('./connection.mjs').Connection, workspace: object, number: number, report: (text: string) => void,
   * count: (what: string) => void, isStopping: () => boolean }} options
   *   `rival` is the connection of somebody else who decides at the same time
   */
  constructor({ random, connection, rival, workspace, number, report, count, isStopping }) {
    this.#random = random
    this.#connection = connection
    this.#rival = rival
    this.#workspace = workspace
    this.#number = number
    this.#say = { report, count, isStopping }
  }

  async run() {
    while (!this.#say.isStopping()) await this.#act()
  }

  #act() {
    const ledger = this.#random.of(this.#workspace.ledgers)
    return this.#random.weighted([
      [30, () => this.#write(ledger)],
      [6, () => this.#invalidWrite(ledger)],
      [10, () => this.#dryRun(ledger)],
      [5, () => this.#restore(ledger)],
      [8, () => this.#decide(ledger)],
      [1, () => this.#send(SCHEDULED_PATH, CONTROL)],
      [40, () => this.#read(ledger)],
    ])()
  }

  /**
   * Sends something, and holds its answer to what is true of every answer.
   *
   * @param {string} target
   * @param {{ method?: string, headers?: Record<string, string>, body?: any, manners?: any[],
   *   connection?: import('./connection.mjs').Connection }} [options]
   * @param {number[]} [allowed] statuses
   */
  async #send(target, { manners = DOWNLOADS, connection = this.#connection, ...init } = {}, allowed = [200]) {
    const manner = this.#random.weighted(manners)
    const [from, to] = PAUSES[manner] ?? [0, 0]
    const pauseMs = this.#random.between(from, to)
    const headers = { ...this.#workspace.headers, ...init.headers }
    const answer = await connection.send(target, { ...init, headers, manner, pauseMs })
    this.#say.count(answer.status === 0 ? `no answer (${manner})` : `${init.method ?? 'GET'} ${answer.status}`)
    this.#inspect(target, answer, allowed)
    return { ...answer, manner }
  }

  #inspect(target, { status, headers, text }, allowed) {
    if (status === 0) return
    const what = `${this.#workspace.id} ${target}: ${status}`
    for (const other of this.#workspace.others) {
      if (text.includes(markerOf(other))) this.#say.report(`${what} shows a record of another workspace`)
    }
    // An error of the runtime itself is not an answer of the service.
    const isOurs = headers['x-request-id'] !== undefined
    if (isOurs && [429, 503].includes(status) && headers['retry-after'] === undefined)
      this.#say.report(`${what} without Retry-After`)
    if (isOurs && !allowed.includes(status) && !BUSY.includes(status) && !this.#say.isStopping())
      this.#say.report(`${what} ${text.slice(0, 300)}`)
  }

  /** @returns {any} `data` of a success that came whole; else undefined */
  #dataOf({ status, text, whole }) {
    return status === 200 && whole ? JSON.parse(text).data : undefined
  }

  async #write(ledger) {
    const random = this.#random
    const format = random.of(['csv', 'json'])
    const wide = random.chance(0.04)
    const count = wide ? random.between(1000, 2500) : random.between(0, 40)
    const mode = random.chance(0.15) ? 'reconcile' : 'upsert'
    const all = mode === 'reconcile' ? random.between(100, 800) : count
    const mark = `c${this.#number}t${this.#turn++}`
    const records = recordsOf(random, this.#workspace.index, mark, { count: all, format, wide })
    const holds = random.chance(0.2)
    const expected = !holds && random.chance(0.2) ? ledger.seen + random.between(0, 1) : null
    const confirmed = random.chance(0.5)
    const { sizeBytes, ...init } = bodyOf(random, ledger.type, format, records, ledger.isFree)
    const attempt = ledger.open({ mode, format, records, sizeBytes, expected, confirmed })
    const query = `&mode=${mode}${confirmed ? '&confirm_shrink=true' : ''}${expected === null ? '' : `&expected_revision=${expected}`}`
    const target = `${DATASETS}/?type=${ledger.type}${query}${holds ? '&dry_run=true&hold=true' : ''}`
    const answer = await this.#send(target, { method: 'POST', manners: UPLOADS, ...init }, [200, 400, 409])
    this.#note(ledger, attempt, answer)
  }

  /** Keeps what an answer says of a write. Without one, the outcome is open, unless not all of it was sent. */
  #note(ledger, attempt, answer) {
    const data = this.#dataOf(answer)
    if (['abort-upload', 'stall-for-good'].includes(answer.manner)) attempt.impossible = true
    const held = heldBy(answer)
    if (held !== undefined) {
      attempt.heldAs = held
      this.#say.count('file held')
    } else if (data !== undefined) {
      attempt.answer = data
      ledger.seen = Math.max(ledger.seen, data.revision)
    } else if ([400, 409, 429].includes(answer.status)) {
      attempt.refused = true
      if (answer.status === 400 && answer.manner === 'whole' && !attempt.impossible && attempt.mode !== 'restore')
        this.#say.report(`a valid write was refused: ${answer.text.slice(0, 300)}`)
    }
  }

  /** A write with one bad record among good ones: nothing of it may be stored. */
  async #invalidWrite(ledger) {
    const random = this.#random
    const format = random.of(['csv', 'json'])
    const records = recordsOf(random, this.#workspace.index, 'invalid', {
      count: random.between(1, 30),
      format,
    })
    const bad = random.of(records)
    bad.fields = { ...bad.fields, name: '', display_name: '' }
    const { sizeBytes, ...init } = bodyOf(random, ledger.type, format, records, ledger.isFree)
    const attempt = ledger.open({
      mode: 'upsert',
      format,
      records,
      sizeBytes,
      expected: null,
      confirmed: true,
      impossible: true,
    })
    const answer = await this.#send(`${DATASETS}/?type=${ledger.type}`, { method: 'POST', ...init }, [400])
    if (answer.status === 400) attempt.refused = true
  }

  async #dryRun(ledger) {
    const random = this.#random
    const format = random.of(['csv', 'json'])
    const records = recordsOf(random, this.#workspace.index, 'never', {
      count: random.between(0, 200),
      format,
    })
    const { sizeBytes, ...init } = bodyOf(random, ledger.type, format, records, ledger.isFree)
    const attempt = { mode: 'upsert', format, sizeBytes, expected: null, confirmed: true, impossible: true }
    ledger.open(attempt)
    const query = random.of([
      '',
      '&include=diff',
      '&mode=reconcile&include=diff&format=csv',
      '&mode=reconcile&include=diff',
    ])
    const target = `${DATASETS}/?type=${ledger.type}&dry_run=true${query}`
    // A file of differences breaks off, or is refused, when the catalog moves on meanwhile.
    await this.#send(target, { method: 'POST', ...init }, [200, 409])
    attempt.refused = true
  }

  async #restore(ledger) {
    const random = this.#random
    const target = Math.max(0, ledger.seen - random.between(0, 30))
    const dryRun = random.chance(0.5)
    const path = `${CATALOGS}/${ledger.type}/restore?revision=${target}&confirm_shrink=true`
    if (dryRun) {
      const query = random.of(['', '&include=diff', '&include=diff&format=csv'])
      await this.#send(`${path}&dry_run=true${query}`, { method: 'POST' }, [200, 409])
      return
    }
    const attempt = ledger.openRestore(target)
    const answer = await this.#send(
      path,
      {
        method: 'POST',
        manners: DECISIONS,
      },
      [200],
    )
    this.#note(ledger, attempt, answer)
  }

  /**
   * Somebody else, who sees the same list, decides about a file that waits, and at the same time so does this client.
   */
  async #decide(ledger) {
    const uploads = `${CATALOGS}/${ledger.type}/uploads`
    const waiting = this.#dataOf(await this.#send(`${uploads}?outcome=held&limit=10`))?.items ?? []
    if (waiting.length === 0) return
    const { upload_id, size_bytes } = this.#random.of(waiting)
    const attempt = ledger.waits(size_bytes)
    const decide = async (connection) => {
      const discards = this.#random.chance(0.3)
      const confirms = !discards && this.#random.chance(0.7)
      attempt.confirmed ||= confirms
      const path = discards ? '' : `/write${confirms ? '?confirm_shrink=true' : ''}`
      const init = { method: discards ? 'DELETE' : 'POST', manners: DECISIONS, connection }
      const answer = await this.#send(`${uploads}/${upload_id}${path}`, init, [200, 409, 410])
      if (answer.status !== 200) return
      this.#say.count(`file ${discards ? 'discarded' : 'approved'}`)
      if (attempt.answer || attempt.discarded) this.#say.report(`upload ${upload_id} ended twice`)
      if (discards) attempt.discarded = true
      else this.#note(ledger, attempt, answer)
    }
    await Promise.all([this.#connection, this.#rival].map(decide))
  }

  async #read(ledger) {
    const random = this.#random
    const { type } = ledger
    const id = `r${random.between(0, 950)}`
    const query = encodeURIComponent(queryOf(random, this.#workspace.index))
    const list = `${DATASETS}/?type=${type}`
    const [target, allowed] = random.of([
      [`${DATASETS}/${id}/?type=${type}`, [200, 404]],
      [`${list}&limit=${random.between(1, 1000)}&offset=${random.between(0, 500)}`, [200]],
      [`${list}&limit=1000&show_inactive=1`, [200]],
      [`${list}&q=${query}`, [200]],
      [`${list}&q=${query}&format=csv`, [200]],
      [`${list}&format=csv&show_inactive=1`, [200]],
      [`/medical-db/v1/search/?type=${type}&q=${query}&limit=50`, [200]],
      [`${CATALOGS}/${type}/records/${id}/history`, [200, 404]],
      [`${CATALOGS}/${type}/changes?since_revision=${Math.max(0, ledger.seen - 20)}`, [200]],
      [`${CATALOGS}/${type}/writes?limit=50`, [200]],
      [`${CATALOGS}/`, [200]],
      [`${DATASETS}/batches/?type=${type}`, [200]],
    ])
    await this.#send(target, {}, allowed)
  }
}
