import { parseExactJson } from '#shared/json/exact-numbers'
import { Failure, failureOf, jsonOf } from './failure'
import { DEBOUNCE_MS, FIRST_ANSWER_MS, MOST_DOUBLINGS, MOST_WAIT_MS, PAGE_RECORDS, SLOW_MS } from './limits'
import type { Answer } from './rows'
import { post, type Session } from './tokens'

/** What a search asks its box, and what it reports. Only the newest search reports anything. */
export interface SearchBox {
  readonly session: Session
  readonly type: string
  /** @returns the record type, and how many matches the box has already @throws Failure if the page is at fault */
  parameters(): { type: string; offset: number }
  onAnswer(answer: Answer, q: string): void
  onSlow(): void
  /** @param failure the same as before if nothing was sent because the box still has to wait */
  onFailure(failure: Failure): void
}

/** Of all boxes of the page, because they share a rate: no search is sent before this time. */
let busyUntil = 0
let busyFailure = new Failure('')

/** The reports that the page has sent. */
const reported = new Set<string>()

/** Sends what a person types, and lets only the answer to the newest text through. */
export class Search {
  readonly #box: SearchBox
  /** Counts texts. Answers to earlier ones are dropped. */
  #turn = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #running = new AbortController()
  #first: Promise<unknown> | undefined
  /** Failures since the last answer. */
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

  /** Reports that somebody has given up a search without a match, once for each text. The answer does not matter. */
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
    // A number in a `refid` stays as it was sent.
    const { data } = (await jsonOf(response, parseExactJson)) as { data: Answer }
    const items = data.items.map((record) => ({ ...record, source: data.source }))
    return { ...data, items }
  }

  #fail(failure: Failure, q: string): void {
    const { kind, retryMs } = failure
    this.#box.onFailure(failure)
    if (!retryMs) return
    // With a random part, so that pages that failed together do not come back together.
    const backoff = 1000 * 2 ** Math.min(++this.#failures, MOST_DOUBLINGS) * (1 + Math.random())
    const wait = Math.min(Math.max(retryMs, backoff), MOST_WAIT_MS)
    if (kind === 'busy') {
      busyUntil = Date.now() + wait
      busyFailure = failure
    }
    this.start(q, wait)
  }
}
