import { isAnswer, isAnswerTo } from '#client/answer'
import type { Arguments, Data, FilePath, JsonPath, Method } from '#client/api'
import { Bookmarks } from '#client/bookmarks'
import { type RawOptions, type Request, requestOf, requireHeader } from '#client/request'
import { type RetryPolicy, retryPolicy, sleep, timeLimit, waitBeforeRetry, withKey } from '#client/retry'
import { cutFile, dateOf, errorOf, foreignAnswer, otherAnswer, ServiceError, unreachable } from '#client/service-error'
import type { TokenSource } from '#client/token-source'
import { type Fetch, send } from '#client/transport'
import { mayHoldInexactRefid, parseExactJson } from '#shared/json/exact-numbers'

/** What a log may contain about one request: no secret, no query and no record. */
export interface Attempt {
  method: string
  /** The path with the names of its parameters, not their values. */
  path: string
  /** Status of the response; 0 if there was none. */
  status: number
  /** The service's log contains the cause of a failure under this ID. */
  requestId: string | null
  durationMs: number
  /** The time of the response by the service's clock (`Date`), in milliseconds since 1970; null if it has none. */
  serviceTime: number | null
  /** Why there was no response of the service, or only a part of one; null if there was a response. */
  failure: ServiceError | null
}

export interface ClientOptions {
  /** Base URL of the service: `https://catalog.example`. Omit it in a page of the service itself. */
  baseUrl?: string | undefined
  /** Omit it for endpoints that need no access token. */
  tokens?: TokenSource | undefined
  retry?: RetryPolicy | undefined
  /** Used instead of `globalThis.fetch`. */
  fetch?: Fetch | undefined
  /**
   * Timeout of one attempt, in milliseconds; for a download, until it begins. If omitted, an attempt waits as long as
   * `fetch` does.
   */
  timeoutMs?: number | undefined
  /** Ends every request, and the wait between its attempts. */
  signal?: AbortSignal | undefined
  /**
   * True by default: a number in a `refid` that JavaScript would change, such as one of 18 digits or `1.0`, is parsed
   * into an object (`JSON.rawJSON`) that `JSON.stringify` writes unchanged. A record can then be sent back unchanged.
   * With `false` it is a number, for clients that only read.
   */
  exact?: boolean | undefined
  /** Called after each attempt, for logs. It receives no secret, no query and no record. */
  onAttempt?: ((attempt: Attempt) => void) | undefined
}

/** How requests are sent, whatever their purpose. */
export type CallOptions = Pick<ClientOptions, 'fetch' | 'retry' | 'timeoutMs' | 'signal' | 'onAttempt'>

/**
 * A file in a response. Its bytes can be read once, by `stream` or by `blob`. If the connection breaks, both throw as
 * the request does.
 */
export interface Download {
  /** The file name from the service; null if there is none. */
  fileName: string | null
  contentType: string
  stream: ReadableStream<Uint8Array>
  blob(): Promise<Blob>
}

/** `data` of a response with an envelope; otherwise the whole response. */
const dataOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'success' in body && 'data' in body ? body.data : body

/** @throws ServiceError if the JavaScript engine would change a number; SyntaxError if the text is not JSON */
function parse(text: string, exact: boolean, status: number): unknown {
  // `JSON.parse` is several times as fast, and sufficient unless a number in a `refid` must keep its exact text.
  if (!exact || !mayHoldInexactRefid(text)) return JSON.parse(text)
  if ('rawJSON' in JSON) return parseExactJson(text)
  throw new ServiceError(
    'This JavaScript engine would change a number in a refid: it has no JSON.rawJSON. Use Node 22 or later, or a ' +
      'browser of 2025 or later. To read records without sending them back, set exact: false.',
    { status, isLasting: true },
  )
}

/** Why a request or its response ended: the reason of the signal if it is aborted, otherwise a ServiceError. */
const reasonOf = (error: unknown, signal: AbortSignal | undefined): unknown => {
  if (signal?.aborted) return signal.reason
  return error instanceof ServiceError ? error : unreachable(error)
}

const [QUOTE, LINE_END] = [0x22, 0x0a]

/**
 * A stream of the body. It fails with a ServiceError, or with the reason of the signal.
 *
 * @param total the number of records of a CSV file with one line per record; NaN if unknown. HTTP detects a truncated
 *   file, but not behind a proxy that ends its own response as if it were complete.
 */
function streamOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  total: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  // Does not count the header row.
  let records = -1
  let isQuoted = false
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw reasonOf(error, signal)
      })
      for (const byte of value ?? []) {
        if (byte === QUOTE) isQuoted = !isQuoted
        else if (byte === LINE_END && !isQuoted) records++
      }
      if (!done) controller.enqueue(value)
      else if (Number.isNaN(total) || records === total) controller.close()
      else throw cutFile(records, total)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** @throws ServiceError if the response is not from the service, whose responses all have an ID */
async function downloadOf({ body, headers, status }: Response, signal: AbortSignal | undefined): Promise<Download> {
  if (!headers.has('X-Request-Id')) throw foreignAnswer(status)
  const contentType = headers.get('Content-Type') ?? 'application/octet-stream'
  const total = Number(headers.get('X-Total-Count') ?? Number.NaN)
  const stream = streamOf(body ?? new Blob([]).stream(), signal, total)
  return {
    fileName: /filename="([^"]*)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? null,
    contentType,
    stream,
    blob: () => new Response(stream, { headers: { 'Content-Type': contentType } }).blob(),
  }
}

/**
 * A client for the service. Paths, parameters, bodies and responses have the types of the endpoints.
 *
 * Every method throws a `ServiceError` if the service rejects the request or cannot be reached, and the reason of the
 * signal if the request is aborted. A token that the service rejects is renewed once. Requests that are safe to repeat
 * are retried when that may help (`RetryPolicy`): reads, dry runs, deletions, and changes of a catalog, which have an
 * `Idempotency-Key`.
 *
 * @example
 * const client = new ServiceClient({ baseUrl, tokens: clientCredentials({ baseUrl, clientId, clientSecret, apiKey }) })
 * const page = await client.get('/admin/datasets/v1/', { query: { type: 'medication', limit: 50 } })
 */
export class ServiceClient {
  /** Base URL of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly #options: ClientOptions
  readonly #retry: ReturnType<typeof retryPolicy>
  readonly #fetch: Fetch
  readonly #bookmarks = new Bookmarks()

  constructor(options: ClientOptions = {}) {
    const { baseUrl = '', retry, fetch } = options
    this.baseUrl = baseUrl.replace(/\/$/, '')
    this.#options = options
    this.#retry = retryPolicy(retry)
    // A browser's `fetch` works only as a method of the global object.
    this.#fetch = fetch ?? ((address, init) => globalThis.fetch(address, init))
  }

  get<Path extends JsonPath<'get'>>(path: Path, ...options: Arguments<'get', Path>): Promise<Data<'get', Path>>
  get(path: string, options?: RawOptions): Promise<unknown> {
    return this.#json('get', path, options)
  }

  /** Sends JSON, or `{ file, fileName }` if the endpoint accepts a file. */
  post<Path extends JsonPath<'post'>>(path: Path, ...options: Arguments<'post', Path>): Promise<Data<'post', Path>>
  post(path: string, options?: RawOptions): Promise<unknown> {
    return this.#json('post', path, options)
  }

  put<Path extends JsonPath<'put'>>(path: Path, ...options: Arguments<'put', Path>): Promise<Data<'put', Path>>
  put(path: string, options?: RawOptions): Promise<unknown> {
    return this.#json('put', path, options)
  }

  delete<Path extends JsonPath<'delete'>>(
    path: Path,
    ...options: Arguments<'delete', Path>
  ): Promise<Data<'delete', Path>>
  delete(path: string, options?: RawOptions): Promise<unknown> {
    return this.#json('delete', path, options)
  }

  /** A request whose response is a file: a catalog with `format: 'csv'`, or a document's content. */
  file<M extends Method, Path extends FilePath<M>>(
    method: M,
    path: Path,
    ...options: Arguments<M, Path>
  ): Promise<Download>
  file(method: Method, path: string, options?: RawOptions): Promise<Download> {
    return this.#call(method, path, options, downloadOf)
  }

  async #json(method: Method, path: string, options: RawOptions = {}): Promise<unknown> {
    return this.#call(method, path, options, async (response, _, request) => {
      const text = await response.text()
      try {
        const body = parse(text, options.exact ?? this.#options.exact ?? true, response.status)
        if (isAnswer(request, body)) {
          const data = dataOf(body)
          if (isAnswerTo(request, data)) return data
          throw otherAnswer(response.status)
        }
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
      }
      throw foreignAnswer(response.status)
    })
  }

  async #call<T>(method: Method, path: string, options: RawOptions = {}, read: ReadResponse<T>): Promise<T> {
    const { tokens } = this.#options
    const signal = this.#signalWith(options)
    const request = withKey(await requestOf(this.baseUrl, method, path, { ...options, signal }))
    for (let attempt = 1; ; attempt++) {
      request.signal?.throwIfAborted()
      // A token source retries its own requests.
      const token = await tokens?.token()
      try {
        return await this.#authorized(request, token, read)
      } catch (error) {
        const wait = waitBeforeRetry(this.#retry, request, error, attempt)
        if (wait === undefined) throw error
        await sleep(wait, request.signal)
      }
    }
  }

  #signalWith({ signal }: RawOptions): AbortSignal | undefined {
    const { signal: ofAll } = this.#options
    return signal && ofAll ? AbortSignal.any([signal, ofAll]) : (signal ?? ofAll)
  }

  /** Sends a request with a token. If the service rejects the token, renews it once. */
  async #authorized<T>(request: Request, token: string | undefined, read: ReadResponse<T>): Promise<T> {
    if (token === undefined) return this.#attempt(request, read)
    const { tokens } = this.#options
    try {
      return await this.#attempt(withToken(request, token), read)
    } catch (error) {
      if (!(error instanceof ServiceError && error.status === 401 && tokens?.renew)) throw error
      return this.#attempt(withToken(request, await tokens.renew(token)), read)
    }
  }

  /** Sends a request once. Aborts it after the timeout. */
  async #attempt<T>(request: Request, read: ReadResponse<T>): Promise<T> {
    const { method, path } = request
    const headers = { ...this.#bookmarks.headers(), ...request.headers }
    const { signal, end } = timeLimit(this.#options.timeoutMs, request.signal)
    const startedAt = Date.now()
    let response: Response | undefined
    let failure: ServiceError | null = null
    try {
      response = await send(this.#fetch, { ...request, headers, signal })
      this.#bookmarks.read(response.headers)
      if (response.ok) return await read(response, signal, request)
      throw await errorOf(response)
    } catch (error) {
      const reason = reasonOf(error, signal)
      if (reason instanceof ServiceError && (reason.status === 0 || reason.code === 'unknown')) failure = reason
      throw reason
    } finally {
      end()
      const { status = 0, headers: answerHeaders } = response ?? {}
      const requestId = answerHeaders?.get('X-Request-Id') ?? null
      const serviceTime = answerHeaders ? dateOf(answerHeaders) : null
      const durationMs = Date.now() - startedAt
      this.#options.onAttempt?.({ method, path, status, requestId, durationMs, serviceTime, failure })
    }
  }
}

type ReadResponse<T> = (response: Response, signal: AbortSignal | undefined, request: Request) => Promise<T>

function withToken(request: Request, token: string): Request {
  requireHeader('Authorization', token)
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } }
}
