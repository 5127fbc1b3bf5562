import type { Context } from 'hono'
import type * as z from 'zod'
import type { Caller } from '#shared/access/caller'
import type { Env } from '#worker/env'
import type { Completion } from '#worker/http/completion'
import type { RequestLeases } from '#worker/http/limits/request-leases'
import type { Deadline } from '#worker/storage/deadline'
import type { Meter } from '#worker/storage/meter'
import type { ReadSessions } from '#worker/storage/read-sessions'

/** What middlewares need to know about the matched endpoint. */
interface MatchedEndpoint {
  path: string
  access: { kind: string; partnerToken: boolean }
  query?: z.ZodType | undefined
  oauthErrors?: true
  takesEncrypted?: true
}

export interface AnswerKey {
  /** 32 bytes. */
  contentKey: Uint8Array
  /** `protected` of the request, repeated byte for byte. */
  header: string
}

/**
 * Further parts of the log line: IDs of credentials, numbers and terms of the contract; never a value of a record, a
 * name or an address.
 */
export type LogFields = Record<string, string | number | boolean | null | undefined>

/** What the middlewares of `app.ts` set for the handlers. */
interface Variables {
  requestId: string
  meter: Meter
  logFields: LogFields
  sessions: ReadSessions
  deadline: Deadline
  completion: Completion
  endpoint?: MatchedEndpoint
  leases: RequestLeases
  maxBodyBytes: number
  caller: Caller
  /** Set for encrypted requests: decrypts the received body. */
  openBody?: (received: Uint8Array) => Promise<Uint8Array>
  /** Set by `openBody`: encrypts the response. */
  answerKey?: AnswerKey
}

export interface AppEnv {
  Bindings: Env
  Variables: Variables
}

export type AppContext = Context<AppEnv>
