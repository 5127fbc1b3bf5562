import { type ApiError, type ErrorCode, type ErrorItem, listedErrors } from '#shared/errors/errors'
import { SUMMARY_ERRORS } from '#shared/limits'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { NotArrivedError } from '#worker/http/body/body-stream'
import type { RefusedOutcome } from './sql/uploads'

interface CountedErrors {
  field: string | null
  code: string
  count: number
  first_index: number | null
}

const MAX_STORED_MESSAGE_LENGTH = 500

/** The field of an error, if it may be stored. A header may not: without a header row it is a value of a record. */
const storableField = (type: RecordType, field: string | null): string | null =>
  field !== null && (field === 'file' || fieldNamed(type, field) !== undefined) ? field : null

const WORD_CHARACTER = /[\p{L}\p{N}]/u

/** A message with `a column` for a name, but not where the same letters are a part of another word. */
function withoutName(message: string, name: string): string {
  const [first = '', ...others] = message.split(name)
  return others.reduce((text, part) => {
    const isPart = WORD_CHARACTER.test(text.slice(-1)) || WORD_CHARACTER.test(part.slice(0, 1))
    return text + (isPart ? name : 'a column') + part
  }, first)
}

/** Counts errors by field and code, without their values. */
export class ErrorSummary {
  readonly #type: RecordType
  readonly #kinds = new Map<string, CountedErrors>()
  /** The field of the first error, if it may not be stored. */
  #unstorableField: string | undefined
  total = 0

  constructor(type: RecordType, errors: readonly ErrorItem[] = []) {
    this.#type = type
    for (const error of errors) this.#add(error)
  }

  #add(error: ErrorItem): void {
    const sentField = 'field' in error ? error.field : null
    const field = storableField(this.#type, sentField)
    if (this.total++ === 0 && field !== sentField) this.#unstorableField = sentField ?? undefined
    const key = `${field ?? ''} ${error.code}`
    const kind = this.#kinds.get(key)
    if (kind !== undefined) kind.count++
    else this.#kinds.set(key, { field, code: error.code, count: 1, first_index: 'index' in error ? error.index : null })
  }

  /** Counts errors while they pass. @param atEnd awaited when all have passed or the reader has gone; must not throw */
  async *countAll(
    lists: AsyncIterable<readonly ErrorItem[]>,
    atEnd: () => Promise<void>,
  ): AsyncGenerator<readonly ErrorItem[]> {
    try {
      for await (const errors of lists) {
        for (const error of errors) this.#add(error)
        yield errors
      }
    } finally {
      await atEnd()
    }
  }

  /** A message, which names the field of the first error, without what may not be stored. */
  storableMessage(message: string): string {
    const text = this.#unstorableField === undefined ? message : withoutName(message, this.#unstorableField)
    return text.slice(0, MAX_STORED_MESSAGE_LENGTH)
  }

  /** JSON list of the most frequent kinds; those that came first among equals. */
  get mostFrequent(): string {
    const kinds = [...this.#kinds.values()].sort((a, b) => b.count - a.count)
    return JSON.stringify(kinds.slice(0, SUMMARY_ERRORS))
  }
}

/** Refusals of a body. One is of a body that was sent with another body's `Idempotency-Key`. */
const INVALID: readonly ErrorCode[] = [
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'unprocessable',
]

/** Null for a refusal that is not listed: the body did not arrive, or nothing is wrong with it. */
export function outcomeOf(error: ApiError): RefusedOutcome | null {
  if (error instanceof NotArrivedError) return null
  if (error.status >= 500) return 'failed'
  if (INVALID.includes(error.code)) return 'invalid'
  if (error.code !== 'conflict') return null
  const code = listedErrors(error)[0]?.code
  return code === 'quota' || code === 'shrink_guard' || code === 'emptied_guard' ? code : 'stale'
}
