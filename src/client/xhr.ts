import type { OnProgress } from '#client/api'
import { unreachable } from '#client/service-error'

/** The part of `XMLHttpRequest` that is used here. The types of the Worker have no browser interfaces. */
interface Xhr {
  readonly upload: {
    onprogress: ((event: { loaded: number; total: number }) => void) | null
    onload: (() => void) | null
  }
  responseType: string
  readonly response: unknown
  readonly status: number
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, address: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: FormData | Blob): void
  abort(): void
}

/** @returns undefined when there is none, as in Node */
export const xhrOf = (scope: object): (new () => Xhr) | undefined =>
  'XMLHttpRequest' in scope ? (scope.XMLHttpRequest as new () => Xhr) : undefined

interface FormRequest {
  method: string
  address: string
  headers: Readonly<Record<string, string>>
  form: FormData | Blob
  signal: AbortSignal | undefined
  onProgress: OnProgress
}

/** Statuses for which a `Response` takes no body. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304]

const headersOf = (text: string): [string, string][] =>
  text
    .trim()
    .split(/\r?\n/)
    .filter((line) => line.includes(':'))
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])

/** @throws ServiceError when there is no answer; the reason of the signal when it is aborted */
export function sendByXhr(xhr: Xhr, request: FormRequest): Promise<Response> {
  const { method, address, headers, form, signal, onProgress } = request
  return new Promise((resolve, reject) => {
    // A request that was never sent fires no `abort` event.
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => xhr.abort()
    const ended = (settle: () => void) => () => {
      signal?.removeEventListener('abort', abort)
      settle()
    }
    let size: number | undefined
    xhr.open(method, address)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.responseType = 'blob'
    xhr.upload.onprogress = ({ loaded, total }) => {
      size = total
      onProgress(loaded, total)
    }
    xhr.upload.onload = () => onProgress(size ?? 1, size ?? 1)
    xhr.onload = ended(() => {
      const { status } = xhr
      const body = WITHOUT_BODY.includes(status) ? null : (xhr.response as Blob)
      resolve(new Response(body, { status, headers: headersOf(xhr.getAllResponseHeaders()) }))
    })
    xhr.onerror = ended(() => reject(unreachable()))
    xhr.onabort = ended(() => reject(signal?.reason ?? unreachable()))
    signal?.addEventListener('abort', abort)
    xhr.send(form)
  })
}
