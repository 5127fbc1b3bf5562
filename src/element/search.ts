import { parseExactJson } from '#shared/json/exact-numbers'
import { Failure, failureOf, jsonOf } from './failure'
import { DEBOUNCE_MS, FIRST_ANSWER_MS, MOST_DOUBLINGS, MOST_WAIT_MS, PAGE_RECORDS, SLOW_MS } from './limits'
import type { Answer } from './rows'
import { post, type Session } from './tokens'

/** What a search needs from its box, and what it reports to it. Only the newest search reports anything. */
export interface SearchBox {
  readonly session: Session
  readonly type: string
  /** @returns the record type and the number of matches shown so far @throws Failure for an error in the page */
  parameters(): { type: string; offset: number }
  onAnswer(answer: Answer, q: string): void
  onSlow(): void
  /** @param failure the same object as before if no request was sent because the box still has to wait */
  onFailure(failure: Failure): void
}

/** No box of the page sends a search before this time, because they share a rate limit. */
let busyUntil = 0
let busyFailure = new Failure('')

/** The reports that the page has sent. */
const reported = new Set<string>()

/** Sends what the user types, and only passes on the response to the newest text. */
export class Search {
  readonly #box: SearchBox
  /** The number of the newest text. Responses to earlier texts are ignored. */
  #turn = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #running = new AbortController()
  #first: Promise<unknown> | undefined
  /** Consecutive failures. */
  #failures = 0

  constructor(box: SearchBox) {
    this.#box = box
  }

  start(q: string, delay = DEBOUNCE_MS): void {
    clearTimeout(this.#timer)
    const turn = ++this.#turn
    this.#timer = setTimeout(() => this.#run(q, turn), delay)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#turn++
    this.#running.abort()
  }

  /** Reports that the user gave up a search without a match, once per text and page. */
  async report(q: string): Promise<void> {
    const body = JSON.stringify({ type: this.#box.type, q })
    if (reported.has(body)) return
    reported.add(body)
    const token = await this.#box.session.tokens.token()
    await post('/medical-db/v1/search/misses', token, body)
  }

  async #run(q: string, turn: number): Promise<void> {
    const isNewest = () => turn === this.#turn
    await Promise.race([this.#first, new Promise((resolve) => setTimeout(resolve, FIRST_ANSWER_MS))])
    if (!isNewest()) return
    this.#running.abort()
    const wait = busyUntil - Date.now()
    if (wait > 0) {
      this.#box.onFailure(busyFailure)
      this.start(q, wait)
      return
    }
    this.#running = new AbortController()
    const slow = setTimeout(() => isNewest() && this.#box.onSlow(), SLOW_MS)
    const outcome = this.#send(q).then(
      (answer) => () => {
        this.#failures = 0
        this.#box.onAnswer(answer, q)
      },
      (error) => () => this.#fail(failureOf(error), q),
    )
    this.#first ??= outcome
    const report = await outcome
    clearTimeout(slow)
    if (isNewest()) report()
  }

  async #send(q: string): Promise<Answer> {
    const { signal } = this.#running
    const body = JSON.stringify({ ...this.#box.parameters(), q, limit: PAGE_RECORDS })
    const search = (token: string) => post('/medical-db/v1/search/', token, body, signal)
    const { tokens } = this.#box.session
    const token = await tokens.token()
    let response = await search(token)
    if (response.status === 401) response = await search(await tokens.renew(token))
    // Keeps every digit of a number in `refid`.
    const { data } = (await jsonOf(response, parseExactJson)) as { data: Answer }
    const items = data.items.map((record) => ({ ...record, source: data.source }))
    return { ...data, items }
  }

  #fail(failure: Failure, q: string): void {
    const { kind, retryMs } = failure
    this.#box.onFailure(failure)
    if (!retryMs) return
    // The random part keeps pages that failed together from retrying together.
    const backoff = 1000 * 2 ** Math.min(++this.#failures, MOST_DOUBLINGS) * (1 + Math.random())
    const wait = Math.min(Math.max(retryMs, backoff), MOST_WAIT_MS)
    if (kind === 'busy') {
      busyUntil = Date.now() + wait
      busyFailure = failure
    }
    this.start(q, wait)
  }
}
