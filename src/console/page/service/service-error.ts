import type { ErrorBody, ErrorItem } from '#errors'

/** A refusal of the service, or its absence. `message` is a sentence for people. */
export class ServiceError extends Error {
  /** Status of the answer; 0 where there was none. */
  readonly status: number
  readonly errors: readonly ErrorItem[]
  /** Under which the log of the service has the cause. */
  readonly requestId: string | null

  constructor(
    message: string,
    status: number,
    errors: readonly ErrorItem[] = [],
    requestId: string | null = null,
  ) {
    super(message)
    this.name = 'ServiceError'
    this.status = status
    this.errors = errors
    this.requestId = requestId
  }
}

/** An answer that is not an error object comes from something between the browser and the service. */
const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'

/** @param text body of an answer whose status is not 2xx */
export function refusalOf(status: number, text: string, requestId: string | null): ServiceError {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  return isErrorBody(body)
    ? new ServiceError(body.message, status, body.errors ?? [], requestId)
    : new ServiceError(`The service answered with status ${status}.`, status, [], requestId)
}

export const unreachable = (): ServiceError =>
  new ServiceError('The service cannot be reached. Check your connection and try again.', 0)
