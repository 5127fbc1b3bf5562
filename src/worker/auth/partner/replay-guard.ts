import { DurableObject } from 'cloudflare:workers'
import type { Env, TokenIdClaims } from '#worker/env'

/** Seconds for which an expired `jti` stays stored. All that expire within one such period are deleted together. */
const REPLAY_SWEEP_SECONDS = 60

const SWEEP_MS = REPLAY_SWEEP_SECONDS * 1000

/** Stores the IDs of one credential's tokens until they expire. There is one object worldwide, without concurrency. */
export class ReplayGuard extends DurableObject<Env> implements TokenIdClaims {
  readonly #sql: SqlStorage

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#sql = state.storage.sql
    // Each claim writes one row. Therefore the table has no row ID with a separate index, and no index for the sweep,
    // which reads all rows.
    this.#sql.exec(
      'create table if not exists token_ids (id text primary key, expires_at integer not null) strict, without rowid',
    )
  }

  async claim(id: string, expiresAt: number, now: number): Promise<boolean> {
    const rows = this.#sql.exec(
      `insert into token_ids values (?1, ?2)
         on conflict (id) do update set expires_at = excluded.expires_at where token_ids.expires_at <= ?3
         returning 1`,
      id,
      expiresAt,
      now,
    )
    const isFirst = rows.toArray().length === 1
    if (isFirst && (await this.ctx.storage.getAlarm()) === null) await this.#sweepAfter(expiresAt)
    return isFirst
  }

  async release(id: string, expiresAt: number): Promise<void> {
    this.#sql.exec('delete from token_ids where id = ? and expires_at = ?', id, expiresAt)
  }

  override async alarm(): Promise<void> {
    // Some time after they expire, because the requesting machine's clock may be behind.
    this.#sql.exec('delete from token_ids where expires_at <= ?', Date.now() - SWEEP_MS)
    const { next } = this.#sql.exec<{ next: number | null }>('select min(expires_at) as next from token_ids').one()
    if (next !== null) await this.#sweepAfter(next)
  }

  #sweepAfter(expiresAt: number): Promise<void> {
    return this.ctx.storage.setAlarm(Math.max(expiresAt, Date.now()) + 2 * SWEEP_MS)
  }
}
