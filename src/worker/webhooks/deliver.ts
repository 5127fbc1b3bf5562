import { sql } from 'drizzle-orm'
import { logLine, nameOf } from '#shared/errors/log-line'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { configOf, type Env } from '#worker/env'
import type { Database } from '#worker/storage/database'
import type { Meter } from '#worker/storage/meter'
import type { ScheduledDatabase, ServedDatabase } from '#worker/storage/placement/served-database'
import { type WorkspaceAddress, workspaceDatabase } from '#worker/storage/placement/workspace-database'
import { type ClaimedRow, claim, type ExclusiveBy } from './attempts'
import { makeAttempt } from './make-attempt'

/**
 * Connections that one invocation of a Worker may have open while waiting for responses. Further ones would wait.
 */
const CONNECTIONS = 6

const MESSAGES_PER_CLAIM = 12

interface Delivery {
  now: Date
  exclusiveBy: ExclusiveBy
  workspaceId?: string
  mayGoOn: () => boolean
}

type ClaimedMessage = ClaimedRow & { database: Database }

/** A database with messages. `refresh` runs before each claim, if the workspaces that it serves can change. */
type MessageDatabase = ServedDatabase & Partial<Pick<ScheduledDatabase, 'refresh'>>

/** Due messages, handed out one by one so that a slow receiver does not delay other workspaces. */
class Queue {
  readonly #claimed: ClaimedMessage[] = []
  readonly #busy = new Set<string>()
  readonly #delivery: Delivery
  #databases: readonly MessageDatabase[]
  #pendingClaim: Promise<void> | undefined
  readonly faults: unknown[] = []

  constructor(databases: readonly MessageDatabase[], delivery: Delivery) {
    this.#databases = databases
    this.#delivery = delivery
  }

  /** The next message; undefined if none may be sent now. */
  async next(): Promise<ClaimedMessage | undefined> {
    if (this.#claimed.length === 0) {
      this.#pendingClaim ??= this.#claimMore().finally(() => {
        this.#pendingClaim = undefined
      })
      await this.#pendingClaim
    }
    return this.#claimed.shift()
  }

  done(message: ClaimedMessage): void {
    this.#busy.delete(message[this.#delivery.exclusiveBy])
  }

  async #claimMore(): Promise<void> {
    if (!this.#delivery.mayGoOn()) return
    const { exclusiveBy, now, workspaceId } = this.#delivery
    const busy = [...this.#busy]
    const request = { now: now.getTime(), most: MESSAGES_PER_CLAIM, exclusiveBy, busy, workspaceId }
    const claims = await Promise.all(
      this.#databases.map(async (database) => {
        try {
          await database.refresh?.()
          const rows = await database.all(claim({ ...request, serves: database.serves }))
          return rows.map((row) => ({ ...row, database }))
        } catch (error) {
          // Other databases continue. If messages were claimed anyway, their next attempt sends them.
          this.#databases = this.#databases.filter((other) => other !== database)
          this.faults.push(error)
          return []
        }
      }),
    )
    for (const message of claims.flat().sort((a, b) => a.fails - b.fails)) {
      this.#busy.add(message[exclusiveBy])
      this.#claimed.push(message)
    }
  }
}

/**
 * Sends due messages, several at a time. Receivers that work come first.
 *
 * @returns number of attempts
 * @throws AggregateError for databases that could not be read, after all others
 */
export async function deliver(env: Env, databases: readonly MessageDatabase[], delivery: Delivery): Promise<number> {
  const sender = { masterKeys: await masterKeysOf(env), issuer: configOf(env).issuer }
  const queue = new Queue(databases, delivery)
  let attempts = 0
  const sendMessages = async () => {
    for (let message = await queue.next(); message !== undefined; message = await queue.next()) {
      attempts++
      try {
        await makeAttempt(sender, message.database, message, delivery.now.getTime())
      } catch (error) {
        logLine({ warning: 'webhook: attempt not finished', workspace: message.workspace_id, error: nameOf(error) })
      }
      queue.done(message)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sendMessages))
  if (queue.faults.length > 0) throw new AggregateError(queue.faults, 'messages: not every database was read')
  return attempts
}

/** Sends the due messages of a workspace after a response. The scheduled run retries those that fail. */
export async function deliverNow(env: Env, address: WorkspaceAddress, meter: Meter): Promise<void> {
  const database = { ...workspaceDatabase(env, address, meter), serves: () => sql`true` }
  const { workspaceId } = address
  try {
    const now = new Date()
    await deliver(env, [database], { now, exclusiveBy: 'webhook_id', workspaceId, mayGoOn: () => true })
  } catch (error) {
    const warning = 'webhook: first attempt left to the scheduled run'
    logLine({ warning, workspace: workspaceId, error: nameOf(error) })
  }
}
