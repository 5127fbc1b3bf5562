import type { Body, Data, FileInput, Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import { findWrite, isLost, type Written, writtenOf } from '#client/lost-write'
import { DATASETS } from '#client/records'
import { sleep } from '#client/retry'
import { isStale, ServiceError } from '#client/service-error'

export type CatalogType = Query<'post', typeof DATASETS>['type']

/** What a write would do, as a dry run says it. */
export type Plan = Data<'post', typeof DATASETS>

/** A file or records that can be sent a second time. */
export type SyncSource =
  | { file: Exclude<FileInput['file'], ReadableStream>; fileName?: string }
  | Extract<Body<'post', typeof DATASETS>, readonly unknown[]>

export interface SyncPolicy {
  /** `upsert`, the default: adds and changes. `reconcile`: what the file leaves out is deactivated. */
  mode?: 'upsert' | 'reconcile'
  /**
   * Whole percent of the active records, 0 to 50, that may be deactivated. Without it the service's own guard holds.
   */
  maxShrink?: number
  /** Lets any number of records be deactivated. */
  confirmShrink?: boolean
  /** Fields whose values may be taken away from records that have one. `all` allows it for every field. */
  allowEmptied?: readonly string[] | 'all'
  /** Only says what would change. */
  dryRun?: boolean
  signal?: AbortSignal
  /** Called while the file is sent. */
  onProgress?: (sent: number, total: number | undefined) => void
}

/** Why nothing was written. */
export type Stop =
  | { code: 'shrink_guard'; active_before: number; would_deactivate: number }
  | { code: 'emptied'; field: string; count: number }

export interface SyncResult {
  /** `written`: also if nothing differed. `stopped`: by the policy. `planned`: it was a dry run. */
  outcome: 'written' | 'stopped' | 'planned'
  plan: Plan
  /** Empty unless the outcome is `stopped`, or `planned` for what would be stopped. */
  stops: readonly Stop[]
  /** Null unless the outcome is `written`. */
  written: Written | null
  /** The file that waits at the service, if the outcome is `stopped` and there was room for it. */
  waiting: WaitingFile | null
}

/** A file that can be written later without being sent again. */
export interface WaitingFile {
  uploadId: string
  heldUntil: string | null
}

/** How often a sync looks again at a catalog that others change meanwhile. */
const ROUNDS = 5

/** How often a write is sent whose answers are lost. */
const SENDINGS = 4

/** Wait before a write is sent again, unless the service asks for another one, in milliseconds. */
const WAIT_MS = 2000

/** The longest wait that the service may ask for, in milliseconds. */
const LONGEST_WAIT_MS = 60_000

/** What stands against a plan. */
function stopsOf({ shrink_guard: shrink, emptied = {} }: Plan, policy: SyncPolicy): Stop[] {
  const { allowEmptied = [] } = policy
  const fields = Object.entries(emptied).filter(
    ([field, count]) => count > 0 && allowEmptied !== 'all' && !allowEmptied.includes(field),
  )
  const emptiedStops = fields.map(([field, count]): Stop => ({ code: 'emptied', field, count }))
  return shrink === undefined || policy.confirmShrink ? emptiedStops : [shrink, ...emptiedStops]
}

/** Answers to a dry run that may be given because there is no room for its file. */
const NOT_HELD: readonly number[] = [409, 503]

/** The file that waits after the guard of the service has stopped it. */
function heldBy({ errors }: ServiceError): WaitingFile | undefined {
  for (const item of errors) {
    if (!('upload_id' in item) || item.upload_id === undefined) continue
    return { uploadId: item.upload_id, heldUntil: item.held_until ?? null }
  }
  return undefined
}

/** A catalog, a file and what may become of it. */
class Sync {
  readonly #client: ServiceClient
  readonly #type: CatalogType
  readonly #source: SyncSource
  readonly #policy: SyncPolicy

  constructor(client: ServiceClient, type: CatalogType, source: SyncSource, policy: SyncPolicy) {
    this.#client = client
    this.#type = type
    this.#source = source
    this.#policy = policy
  }

  async run(): Promise<SyncResult> {
    for (let round = 1; ; round++) {
      const plan = await this.#plan()
      const stops = stopsOf(plan, this.#policy)
      const result = { plan, stops, written: null, waiting: null }
      if (this.#policy.dryRun) return { ...result, outcome: 'planned' }
      try {
        if (stops.length > 0) return { ...result, outcome: 'stopped', waiting: await this.#stopped(plan) }
        return { ...result, outcome: 'written', written: await this.#write(plan) }
      } catch (error) {
        if (!isStale(error) || round === ROUNDS) throw error
      }
    }
  }

  /** What would change. The service keeps the file for the write if it has room, unless nothing is to be written. */
  async #plan(): Promise<Plan> {
    if (this.#policy.dryRun) return this.#send({ dry_run: true })
    try {
      return await this.#send({ dry_run: true, hold: true })
    } catch (error) {
      if (!(error instanceof ServiceError && NOT_HELD.includes(error.status))) throw error
      return this.#send({ dry_run: true })
    }
  }

  #send(query: Partial<Query<'post', typeof DATASETS>>): Promise<Plan> {
    const { mode = 'upsert', maxShrink, confirmShrink, signal, onProgress } = this.#policy
    return this.#client.post(DATASETS, {
      query: { type: this.#type, mode, max_shrink: maxShrink, confirm_shrink: confirmShrink, ...query },
      body: this.#source,
      signal,
      ...('file' in this.#source && { gzip: true, onProgress }),
    })
  }

  /** Writes the file that waits, or sends it if none does, on the condition that the catalog has not changed. */
  #sendWrite({ upload_id, revision, epoch }: Plan): Promise<Plan> {
    const condition = { expected_revision: revision, expected_epoch: epoch }
    if (upload_id === undefined) return this.#send(condition)
    return this.#client.post('/admin/catalogs/v1/{type}/uploads/{upload_id}/write', {
      params: { type: this.#type, upload_id },
      query: condition,
      signal: this.#policy.signal,
    })
  }

  /**
   * What waits of a file that the policy stops. The guard of the service refuses a reconcile itself: then it is seen
   * among the uploads, and waits longer.
   */
  async #stopped(plan: Plan): Promise<WaitingFile | null> {
    const { upload_id, held_until, revision, epoch, shrink_guard } = plan
    const waiting = upload_id === undefined ? null : { uploadId: upload_id, heldUntil: held_until ?? null }
    if (shrink_guard === undefined || plan.mode !== 'reconcile' || this.#policy.confirmShrink) return waiting
    try {
      await this.#send({ expected_revision: revision, expected_epoch: epoch })
    } catch (error) {
      if (!(error instanceof ServiceError && error.codes.includes('shrink_guard'))) throw error
      const refused = heldBy(error)
      if (refused === undefined) return waiting
      if (upload_id !== undefined && refused.uploadId !== upload_id) await this.#discard(upload_id)
      return refused
    }
    throw new Error('the service wrote a file that its guard stops')
  }

  async #discard(upload_id: string): Promise<void> {
    await this.#client.delete('/admin/catalogs/v1/{type}/uploads/{upload_id}', {
      params: { type: this.#type, upload_id },
    })
  }

  /** Writes what was planned, once. A write whose answer is lost is looked up before it is sent again. */
  async #write(plan: Plan): Promise<Written> {
    let lost: ServiceError | undefined
    for (let sending = 1; ; sending++) {
      try {
        return writtenOf(await this.#sendWrite(plan), false)
      } catch (error) {
        if (isLost(error)) lost = error
        else if (lost === undefined || !(error instanceof ServiceError)) throw error
        const found = await findWrite(this.#client, plan, lost)
        if (found !== undefined) return found
        if (!isLost(error) || sending === SENDINGS) throw error
        await sleep(Math.min(error.retryAfterMs ?? WAIT_MS, LONGEST_WAIT_MS), this.#policy.signal)
      }
    }
  }
}

/**
 * Brings a catalog to the state of a file: asks what would change, applies the policy, and writes it once.
 *
 * A file that changes nothing is written all the same, so that the service sees that it came.
 *
 * @throws ServiceError when the file is refused, or when the service cannot be reached
 */
export const sync = (
  client: ServiceClient,
  type: CatalogType,
  source: SyncSource,
  policy: SyncPolicy = {},
): Promise<SyncResult> => new Sync(client, type, source, policy).run()
