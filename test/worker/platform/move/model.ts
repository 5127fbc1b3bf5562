import { env } from 'cloudflare:workers'
import { apiErrorOf } from '#shared/errors/errors'
import { jsonSource } from '#shared/records/json-source'
import { recordTypes } from '#shared/records/record-types'
import { atOnce } from '#shared/work'
import { writeRecords } from '#worker/catalog/write/write'
import { DEFAULT_BUDGET, moveWorkspace } from '#worker/platform/move/move'
import { purgeCopies } from '#worker/platform/move/purge'
import { databaseAccess } from '#worker/storage/database'
import { Deadline } from '#worker/storage/deadline'
import { Meter } from '#worker/storage/meter'
import { abandonedMoves, endAbandoned } from '#worker/storage/placement/moves'
import { workspaceDatabase } from '#worker/storage/placement/workspace-database'
import { createWorkspace } from '../../../support/credentials'
import { execute, several } from '../../../support/databases'
import { faultyDatabase } from '../../storage/faulty-database'

/**
 * One workspace with a single record, and processes that act on it one database call at a time. After each call the
 * model looks at the databases as every reader and writer would, with any database in mind that ever held the
 * workspace.
 */

const BINDINGS = ['DB', 'DB_2'] as const
export type Binding = (typeof BINDINGS)[number]

const DAY_MS = 25 * 3600 * 1000

/** A call of the endpoint ends after some seconds. Here it waits for others meanwhile, so it has no limit of time. */
const WHOLE_MOVE = { ...DEFAULT_BUDGET, ms: Number.POSITIVE_INFINITY }

/** A call to a database, which can be sent again. */
interface Call {
  binding: Binding
  send(): Promise<unknown>
  writes: boolean
}

/** A process that stops before each of its calls to a database. */
export class Process {
  /** Calls that were carried out. */
  readonly sent: Call[] = []
  readonly #waiting: { call: Call; go: () => Promise<void> }[] = []
  #changed = Promise.withResolvers<void>()
  #hasEnded = false
  #failure: unknown

  constructor(work: (bindings: typeof env) => Promise<unknown>) {
    const ended = () => {
      this.#hasEnded = true
      this.#changed.resolve()
    }
    work({ ...several, DB: this.#gated('DB'), DB_2: this.#gated('DB_2') }).then(ended, (error) => {
      // A refusal is an answer. Everything else is a fault of the service.
      if (!apiErrorOf(error)) this.#failure = error
      ended()
    })
  }

  /** The call that it waits to send; undefined when it has ended. @throws its failure */
  async next(): Promise<Call | undefined> {
    while (this.#waiting.length === 0 && !this.#hasEnded) {
      await this.#changed.promise
      this.#changed = Promise.withResolvers()
    }
    if (this.#failure) throw this.#failure
    return this.#waiting[0]?.call
  }

  async step(): Promise<void> {
    await this.next()
    const first = this.#waiting.shift()
    if (!first) throw new Error('the process has ended')
    await first.go()
    this.sent.push(first.call)
  }

  #gated(binding: Binding): D1Database {
    return faultyDatabase(({ writes, run }) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      this.#waiting.push({ call: { binding, send: run, writes }, go: () => run().then(resolve, reject) })
      this.#changed.resolve()
      return promise
    }, env[binding])
  }
}

/** One database as a reader or a writer finds it. */
interface Side {
  version: number | null
  refuses: string | null
  /** Of the fence. */
  generation: number | null
  records: number
}

const SIDE = `select refuses, generation,
    (select cast(substr(search_text, instr(search_text, 'version') + 7, 6) as integer) from records
      where record_id = 'r' and catalog_id in (select catalog_id from catalogs where workspace_id = ?1)) as version,
    (select count(*) from records where catalog_id in (select catalog_id from catalogs where workspace_id = ?1)) as records
  from (select 1) left join workspace_fences on workspace_id = ?1`

const NOTHING: Side = { version: null, refuses: null, generation: null, records: 0 }

const CONTROL = `select database_binding as home, step, generation
  from workspaces left join workspace_moves using (workspace_id) where workspace_id = ?1`

export class Model {
  readonly workspaceId = crypto.randomUUID()
  #acknowledged = 0
  #versions = 0
  /** The schedule, for the message of a failure. */
  readonly #name: string
  /** What happened, for the message of a failure. */
  readonly #trace: string[] = []
  readonly #sides: Record<Binding, Side> = { DB: NOTHING, DB_2: NOTHING }
  #control: Record<string, unknown> = {}

  private constructor(name: string) {
    this.#name = name
  }

  /** A new workspace whose record has its first version. */
  static async begin(name: string): Promise<Model> {
    return new Model(name).#begin()
  }

  async #begin(): Promise<this> {
    await createWorkspace(this.workspaceId)
    // As an earlier stay leaves it: readers may still remember that database.
    await env.DB_2.prepare(
      "insert into workspace_fences (workspace_id, refuses, generation) values (?, 'everything', 0)",
    )
      .bind(this.workspaceId)
      .run()
    await this.#look('DB')
    await this.#look('DB_2')
    if (!(await this.write())) this.fail('the first write was refused')
    return this
  }

  fail(reason: string): never {
    throw new Error(`${this.#name}: ${reason}\n${this.#trace.join('\n')}`)
  }

  mover(target: Binding): Process {
    return new Process((bindings) => moveWorkspace(bindings, this.workspaceId, target, new Meter(), WHOLE_MOVE))
  }

  /** Time passes, so that a move which nobody continues is over. */
  async wait(): Promise<void> {
    await execute(
      'update workspace_moves set stepped_at = stepped_at - 121000 where workspace_id = ?',
      this.workspaceId,
    )
  }

  /** The part of the scheduled run that acts on moves. */
  scheduledRun(): Process {
    return new Process(async (bindings) => {
      const access = databaseAccess(bindings, new Meter())
      const now = Date.now()
      for (const move of await abandonedMoves(access, now))
        if (move.workspaceId === this.workspaceId) await endAbandoned(access, move, now)
    })
  }

  /** A process that writes the next version. The number of the acknowledged version is kept. */
  writer(): Process {
    const version = ++this.#versions
    return new Process(async (bindings) => {
      const place = { workspaceId: this.workspaceId, databaseBinding: 'DB' }
      const db = workspaceDatabase(bindings, place, new Meter())
      const catalogKey = { workspaceId: this.workspaceId, type: 'symptom' } as const
      const body = new TextEncoder().encode(JSON.stringify([{ symptom_id: 'r', name: `version${version}` }]))
      const source = atOnce(jsonSource(body))
      const options = { mode: 'upsert', dryRun: false, diff: false, fileName: null, sizeBytes: 1 } as const
      const head = {
        createdBy: 'w',
        now: Date.now(),
        expectedRevision: null,
        expectedEpoch: null,
        maxShrink: null,
        heldUpload: null,
        emptiedGuard: null,
        requestId: 'a-request',
        key: null,
        keepsMissing: false,
        examples: 0,
      }
      await writeRecords(
        { db, catalogKey, type: recordTypes.symptom, announce: () => undefined },
        source,
        { ...options, ...head, keepsVersions: true },
        new Deadline(),
      )
      this.#acknowledged = version
    })
  }

  /** Whether the source of the move to `DB_2` refuses writes, according to the last check. */
  get refusesWrites(): boolean {
    return this.#sides.DB.refuses === 'writes'
  }

  /** The part of the scheduled run that deletes what moves left behind in a database, a day later. */
  purger(binding: Binding): Process {
    return new Process((bindings) =>
      purgeCopies(databaseAccess(bindings, new Meter()).catalog(binding), Date.now() + DAY_MS, () => true),
    )
  }

  /** Runs a process to its end, or up to a number of calls. Checks the databases after each call that writes. */
  async run(
    name: string,
    process: Process,
    { upTo = Number.POSITIVE_INFINITY, before }: { upTo?: number; before?: (call: Call) => Promise<void> } = {},
  ): Promise<void> {
    for (let n = 0; n < upTo; n++) {
      const call = await process.next()
      if (!call) return
      await before?.(call)
      await process.step()
      if (call.writes) await this.check(`${name} ${n}`, call.binding)
    }
  }

  /** @returns whether the write was acknowledged */
  async write(): Promise<boolean> {
    const before = this.#acknowledged
    await this.run('write', this.writer())
    return this.#acknowledged > before
  }

  async #look(binding: Binding): Promise<void> {
    const texts = binding === 'DB' ? [SIDE, CONTROL] : [SIDE]
    const bound = texts.map((text) => env[binding].prepare(text).bind(this.workspaceId))
    const [side, control] = await env[binding].batch<Record<string, unknown>>(bound)
    this.#sides[binding] = side?.results[0] as unknown as Side
    if (control) this.#control = control.results[0] ?? {}
  }

  /** What the control database says about the move, in words. */
  get stored(): string {
    const { home, generation, step } = this.#control
    return JSON.stringify([home, generation, step])
  }

  /** The state of the move after the last check, in words. */
  get state(): string {
    const fences = [this.#sides.DB, this.#sides.DB_2].map(({ refuses, generation }) => `${refuses} ${generation}`)
    return [this.stored, ...fences].join(' ')
  }

  /**
   * What must hold after every call: the database that the control database names is read; every database that is read
   * has the last acknowledged version; one takes writes at most.
   *
   * @param binding of the database to which the call went; the others are as they were
   */
  async check(event: string, binding: Binding): Promise<void> {
    await this.#look(binding)
    const sides = this.#sides
    const home = this.#control.home as Binding
    this.#trace.push(`${event}: ${this.state} ${sides.DB.version} ${sides.DB_2.version} of ${this.#acknowledged}`)
    if (sides[home].refuses === 'everything') this.fail(`${home} refuses reads`)
    for (const each of BINDINGS) {
      const { refuses, version } = sides[each]
      if (refuses !== 'everything' && this.#acknowledged > 0 && version !== this.#acknowledged)
        this.fail(`${each} shows version ${version} of ${this.#acknowledged}`)
    }
    const open = BINDINGS.filter((each) => ['nothing', null].includes(sides[each].refuses))
    if (open.length > 1) this.fail('two databases take writes')
  }

  /** In the end the workspace takes writes, can be moved, and is whole. */
  async end(): Promise<void> {
    for (let n = 0; !(await this.write()); n++) {
      if (n === 3) this.fail('no write gets in any more')
      await this.wait()
    }
    for (let n = 0; ; n++) {
      const { home, step } = this.#control
      if (home === 'DB_2' && step === 'done') break
      if (n === 4) this.fail('the move does not end')
      await this.run('last move', this.mover('DB_2'))
    }
    if (!(await this.write())) this.fail('no write after the move')
    const { records } = this.#sides.DB_2
    if (records !== 1) this.fail(`${records} records`)
  }
}
