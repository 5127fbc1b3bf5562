import type { OnProgress } from '#client/api'
import type { Request } from '#client/request'

/** Like `globalThis.fetch`, for a service that is reached in a different way. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>

/** The part of `XMLHttpRequest` that is used here. The Worker's types do not include browser interfaces. */
interface Xhr {
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null }
  responseType: string
  readonly response: Blob | null
  readonly status: number
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, address: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: Blob): void
  abort(): void
}

/** @returns undefined if there is none, as in Node */
const xhrOf = (scope: object): (new () => Xhr) | undefined =>
  'XMLHttpRequest' in scope ? (scope.XMLHttpRequest as new () => Xhr) : undefined

type BlobRequest = Request & { content: Blob; onProgress: OnProgress }

const headersOf = (text: string): [string, string][] =>
  text
    .trim()
    .split(/\r?\n/)
    .filter((line) => line.includes(':'))
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])

/** @throws TypeError if there is no response, as `fetch` does; the reason of the signal if it is aborted */
function sendByXhr(xhr: Xhr, request: BlobRequest): Promise<Response> {
  const { method, address, headers, content, signal, onProgress } = request
  return new Promise((resolve, reject) => {
    // A request that was never sent fires no `abort` event.
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => xhr.abort()
    const finish = (settle: () => void) => () => {
      signal?.removeEventListener('abort', abort)
      settle()
    }
    xhr.open(method, address)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.responseType = 'blob'
    xhr.upload.onprogress = ({ loaded }) => onProgress(loaded, content.size)
    xhr.onload = finish(() => {
      const { status, response } = xhr
      // A `Response` with status 204 accepts no body, not even an empty one.
      const body = response !== null && response.size > 0 ? response : null
      resolve(new Response(body, { status, headers: headersOf(xhr.getAllResponseHeaders()) }))
    })
    xhr.onerror = finish(() => reject(new TypeError('no response')))
    xhr.onabort = finish(() => reject(signal?.reason ?? new TypeError('aborted')))
    signal?.addEventListener('abort', abort)
    xhr.send(content)
  })
}

/** @returns the response, with any status @throws the errors of `fetch` */
export function send(fetch: Fetch, request: Request): Promise<Response> {
  const { method, address, headers, content, signal, onProgress } = request
  const Xhr = xhrOf(globalThis)
  // In browsers, only XMLHttpRequest reports the progress of an upload.
  if (Xhr !== undefined && onProgress !== undefined && content instanceof Blob) {
    return sendByXhr(new Xhr(), { ...request, content, onProgress })
  }
  // The service redirects no client. A redirect comes from elsewhere, and its target must not receive the request.
  return fetch(address, { method, headers, body: content, signal: signal ?? null, redirect: 'manual' })
}
