import type { BrowserContext, Page, Request } from 'playwright-core'

/** Requests that take longer are told of, in milliseconds. */
const SLOW_MS = 2000

/** Requests of each kind that are told of, the last ones. */
const MOST_TOLD = 15

/** Characters of what a page shows that are told. */
const MOST_SHOWN = 1500

interface Sent {
  at: number
  /** `POST /admin/datasets/v1/?type=medication`. */
  what: string
  status?: number
  /** Milliseconds to the end of the answer. */
  ms?: number
  /** Why there was no answer. */
  failure?: string
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** What happened on the network of a visit, for the message of a test that fails. */
export class VisitRecord {
  readonly #begun = performance.now()
  readonly #sent = new Map<Request, Sent>()

  constructor(context: BrowserContext) {
    context.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      this.#sent.set(request, { at: performance.now(), what: `${request.method()} ${pathname}${search}` })
    })
    context.on('response', (response) => this.#note(response.request(), { status: response.status() }))
    context.on('requestfinished', (request) => this.#end(request, {}))
    context.on('requestfailed', (request) =>
      this.#end(request, { failure: request.failure()?.errorText ?? 'no reason given' }),
    )
  }

  /** What each page shows, and the requests that failed, were slow, or have no answer yet. */
  async tell(pages: readonly Page[]): Promise<string> {
    const shown = await Promise.all(pages.map(pageText))
    const all = [...this.#sent.values()]
    const told = all.filter(isOdd)
    const last = all.at(-1)
    return [
      ...shown,
      `${all.length} requests in ${seconds(performance.now() - this.#begun)}; those that failed, took longer than ${seconds(SLOW_MS)} or are under way:`,
      ...told.slice(-MOST_TOLD).map((sent) => `  ${this.#line(sent)}`),
      ...(told.length === 0 ? ['  none'] : []),
      ...(last === undefined ? [] : [`the last one: ${this.#line(last)}`]),
    ].join('\n')
  }

  #note(request: Request, what: Partial<Sent>): void {
    const sent = this.#sent.get(request)
    if (sent !== undefined) Object.assign(sent, what)
  }

  #end(request: Request, what: Partial<Sent>): void {
    const sent = this.#sent.get(request)
    if (sent !== undefined) this.#note(request, { ...what, ms: performance.now() - sent.at })
  }

  #line({ at, what, status, ms, failure }: Sent): string {
    const result = failure ?? status ?? 'no answer'
    const time = ms === undefined ? `under way for ${seconds(performance.now() - at)}` : seconds(ms)
    return `at ${seconds(at - this.#begun)}: ${what} → ${result}, ${time}`
  }
}

const isOdd = ({ status = 0, ms, failure }: Sent): boolean =>
  ms === undefined || ms > SLOW_MS || failure !== undefined || status >= 400

/** A page that is stuck must not hold up what is told of it. */
async function pageText(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 5000 })
    .catch((error: Error) => `cannot be read: ${error.message.split('\n', 1)[0]}`)
  const lines = text.replaceAll(/\n\s*\n+/g, '\n')
  return `${page.url()} shows:\n${lines.slice(0, MOST_SHOWN)}${lines.length > MOST_SHOWN ? ' …' : ''}`
}
