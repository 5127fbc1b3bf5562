import type { RenewedToken } from '#client/token-source'
import { accepted, type Failure, failureOf } from './failure'
import { type Answer, PAGE_RECORDS } from './rows'
import { pause, post } from './tokens'

/** Milliseconds without a key before a search begins. */
const DEBOUNCE_MS = 150

/** Milliseconds without an answer after which the box says so. */
const SLOW_MS = 1000

/** Milliseconds after which a search without an answer is cancelled and sent again. */
const TIMEOUT_MS = 15_000

/**
 * How long a new search waits for the first one of the page. Until that is answered, the browser does not know that it
 * may send searches, and would ask for permission again.
 */
const FIRST_ANSWER_MS = 1000

/** What a box learns of its search. Only the newest one tells anything. */
export interface SearchWatcher {
  onFound(answer: Answer, q: string): void
  onSlow(): void
  /** @param isNew whether the service refused just now, and not only the box still waits */
  onFailed(failure: Failure, isNew: boolean): void
}

/** What is asked, as the attributes of the box have it at that time. */
interface Question {
  type: string | null
  /** Matches that are there already. */
  offset: number
  session: () => RenewedToken
}

/** Of all boxes of the page: whether the service has answered a search. */
let hasAnswered = false

/** Of all boxes of the page, because they share a rate: no search is sent before this time. */
let busy: { until: number; failure: Failure } | undefined

/** Sends what a person types, and lets only the answer to the newest text through. */
export class Search {
  readonly #question: () => Question
  readonly #watcher: SearchWatcher
  /** Grows with each text. What belongs to an earlier one is dropped. */
  #turn = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: AbortController | undefined
  #first: Promise<unknown> | undefined

  constructor(question: () => Question, watcher: SearchWatcher) {
    this.#question = question
    this.#watcher = watcher
  }

  ask(q: string, delay = DEBOUNCE_MS): void {
    clearTimeout(this.#timer)
    this.#turn++
    this.#later(q, 0, delay)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#turn++
    this.#running?.abort()
  }

  #later(q: string, retries: number, milliseconds: number): void {
    const turn = this.#turn
    this.#timer = setTimeout(() => this.#begin(q, turn, retries), milliseconds)
  }

  async #begin(q: string, turn: number, retries: number): Promise<void> {
    if (!hasAnswered && this.#first !== undefined) {
      await Promise.race([this.#first, pause(FIRST_ANSWER_MS)])
      if (turn !== this.#turn) return
    }
    this.#running?.abort()
    const wait = busy === undefined ? 0 : busy.until - Date.now()
    if (busy !== undefined && wait > 0) {
      this.#watcher.onFailed(busy.failure, false)
      this.#later(q, retries, wait)
      return
    }
    this.#first = this.#run(q, turn, retries)
    await this.#first
  }

  async #run(q: string, turn: number, retries: number): Promise<void> {
    const running = new AbortController()
    this.#running = running
    const isNewest = () => turn === this.#turn
    const slow = setTimeout(() => isNewest() && this.#watcher.onSlow(), SLOW_MS)
    const timeout = setTimeout(() => running.abort(new Error('no answer in time')), TIMEOUT_MS)
    const outcome = await this.#send(q, running.signal).then(
      (answer) => () => this.#watcher.onFound(answer, q),
      (error) => () => this.#fail(failureOf(error), q, retries),
    )
    clearTimeout(slow)
    clearTimeout(timeout)
    if (isNewest()) outcome()
  }

  async #send(q: string, signal: AbortSignal): Promise<Answer> {
    const { type, offset, session } = this.#question()
    const body = JSON.stringify({ type, q, limit: PAGE_RECORDS, offset })
    const search = (token: string) => post('/medical-db/v1/search/', { Authorization: `Bearer ${token}` }, body, signal)
    const tokens = session()
    const token = await tokens.token()
    let response = await search(token)
    hasAnswered = true
    if (response.status === 401) response = await search(await tokens.renew(token))
    const { data } = (await (await accepted(response)).json()) as { data: Answer }
    return data
  }

  #fail(failure: Failure, q: string, retries: number): void {
    const wait = failure.retryMs(retries)
    if (failure.kind === 'busy' && wait !== undefined) busy = { until: Date.now() + wait, failure }
    this.#watcher.onFailed(failure, true)
    if (wait !== undefined) this.#later(q, retries + 1, wait)
  }
}
