import type { RenewedToken } from '#client/token-source'
import { type Failure, failureOf, requireSuccess } from './failure'
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

/** What a search asks its box, and what it reports. Only the newest search reports anything. */
interface SearchBox {
  /** @returns the record type, and how many matches the box has already */
  query(): { type: string | null; offset: number }
  session(): RenewedToken
  onAnswer(answer: Answer, q: string): void
  onSlow(): void
  /** @param isNew false if nothing was sent because the box still has to wait */
  onFailure(failure: Failure, isNew: boolean): void
}

/** Whether the service has answered a search of any box of the page. */
let hasAnswered = false

/** Of all boxes of the page, because they share a rate: no search is sent before this time. */
let busy: { until: number; failure: Failure } | undefined

/** Sends what a person types, and lets only the answer to the newest text through. */
export class Search {
  readonly #box: SearchBox
  /** Counts texts. Answers to earlier ones are dropped. */
  #turn = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: AbortController | undefined
  #first: Promise<unknown> | undefined

  constructor(box: SearchBox) {
    this.#box = box
  }

  start(q: string, delay = DEBOUNCE_MS): void {
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
      this.#box.onFailure(busy.failure, false)
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
    const slow = setTimeout(() => isNewest() && this.#box.onSlow(), SLOW_MS)
    const timeout = setTimeout(() => running.abort(new Error('no answer in time')), TIMEOUT_MS)
    const outcome = await this.#send(q, running.signal).then(
      (answer) => () => this.#box.onAnswer(answer, q),
      (error) => () => this.#fail(failureOf(error), q, retries),
    )
    clearTimeout(slow)
    clearTimeout(timeout)
    if (isNewest()) outcome()
  }

  async #send(q: string, signal: AbortSignal): Promise<Answer> {
    const body = JSON.stringify({ ...this.#box.query(), q, limit: PAGE_RECORDS })
    const search = (token: string) => post('/medical-db/v1/search/', { Authorization: `Bearer ${token}` }, body, signal)
    const tokens = this.#box.session()
    const token = await tokens.token()
    let response = await search(token)
    hasAnswered = true
    if (response.status === 401) response = await search(await tokens.renew(token))
    const { data } = (await (await requireSuccess(response)).json()) as { data: Answer }
    return data
  }

  #fail(failure: Failure, q: string, retries: number): void {
    const wait = failure.retryMs(retries)
    if (failure.kind === 'busy' && wait !== undefined) busy = { until: Date.now() + wait, failure }
    this.#box.onFailure(failure, true)
    if (wait !== undefined) this.#later(q, retries + 1, wait)
  }
}
