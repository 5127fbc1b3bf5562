import { Failure, failureOf, jsonOf, setupFailure } from './failure'
import { type Answer, PAGE_RECORDS, TYPES } from './rows'
import { post, type Session } from './tokens'

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
  query(): { type: string; offset: number }
  session(): Session
  onAnswer(answer: Answer, q: string): void
  onSlow(): void
  /** @param isNew false if nothing was sent because the box still has to wait */
  onFailure(failure: Failure, isNew: boolean): void
}

/** Of all boxes of the page, because they share a rate: no search is sent before this time. */
let busyUntil = 0
let busyFailure = new Failure('')

/** Sends what a person types, and lets only the answer to the newest text through. */
export class Search {
  readonly #box: SearchBox
  /** Counts texts. Answers to earlier ones are dropped. */
  #turn = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #running = new AbortController()
  #first: Promise<unknown> | undefined

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

  async #run(q: string, turn: number): Promise<void> {
    const isNewest = () => turn === this.#turn
    await Promise.race([this.#first, new Promise((resolve) => setTimeout(resolve, FIRST_ANSWER_MS))])
    if (!isNewest()) return
    this.#running.abort()
    const wait = busyUntil - Date.now()
    if (wait > 0) {
      this.#box.onFailure(busyFailure, false)
      this.start(q, wait)
      return
    }
    this.#running = new AbortController()
    const slow = setTimeout(() => isNewest() && this.#box.onSlow(), SLOW_MS)
    const outcome = this.#send(q, AbortSignal.any([this.#running.signal, AbortSignal.timeout(TIMEOUT_MS)])).then(
      (answer) => () => this.#box.onAnswer(answer, q),
      (error) => () => this.#fail(failureOf(error), q),
    )
    this.#first ??= outcome
    const report = await outcome
    clearTimeout(slow)
    if (isNewest()) report()
  }

  async #send(q: string, signal: AbortSignal): Promise<Answer> {
    const { type, offset } = this.#box.query()
    if (!TYPES.includes(type)) throw setupFailure(`type="${type}" is not ${TYPES}`)
    const body = JSON.stringify({ type, offset, q, limit: PAGE_RECORDS })
    const search = (token: string) => post('/medical-db/v1/search/', { Authorization: `Bearer ${token}` }, body, signal)
    const { tokens } = this.#box.session()
    const token = await tokens.token()
    let response = await search(token)
    if (response.status === 401) response = await search(await tokens.renew(token))
    const { data } = (await jsonOf(response)) as { data: Answer }
    const items = data.items.map((record) => ({ ...record, source: data.source }))
    return { ...data, items }
  }

  #fail(failure: Failure, q: string): void {
    const { kind, retryMs } = failure
    if (kind === 'busy' && retryMs) {
      busyUntil = Date.now() + retryMs
      busyFailure = failure
    }
    this.#box.onFailure(failure, true)
    if (retryMs) this.start(q, retryMs)
  }
}
