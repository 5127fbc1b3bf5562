import { refusalOf, unreachable } from './service-error'

/** A file on its way to the service. */
export interface FileToSend {
  address: string
  file: Blob
  fileName: string
  /** @param sent share of the file that has left the browser, 0 to 1; at 1 the service is at work */
  onProgress?: ((sent: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/**
 * Posts a file as browsers do, in a form. Not by `fetch`, which does not tell how far the request is.
 *
 * @returns the body of the answer
 * @throws ServiceError for a refusal; DOMException `AbortError` when `signal` is aborted
 */
export function sendFile(
  token: string,
  { address, file, fileName, onProgress, signal }: FileToSend,
): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const stopped = () => reject(new DOMException('The upload was stopped.', 'AbortError'))
    // A request that was never sent tells nobody that it is aborted.
    if (signal?.aborted) return stopped()
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const end = () => signal?.removeEventListener('abort', abort)
    request.open('POST', address)
    request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.responseType = 'blob'
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    }
    request.upload.onload = () => onProgress?.(1)
    request.onload = async () => {
      end()
      const body = request.response as Blob
      if (request.status >= 200 && request.status < 300) resolve(body)
      else reject(refusalOf(request.status, await body.text(), request.getResponseHeader('X-Request-Id')))
    }
    request.onerror = () => {
      end()
      reject(unreachable())
    }
    request.onabort = () => {
      end()
      stopped()
    }
    signal?.addEventListener('abort', abort)
    const form = new FormData()
    form.set('file', file, fileName)
    request.send(form)
  })
}
