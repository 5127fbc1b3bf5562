import { callOperator } from '../../support/credentials'
import { describedData } from '../../support/responses'

/** Calls an operator endpoint, expects 200 and the described answer, and returns its data. */
export async function dataOf<T>(path: string, body?: unknown, method?: 'DELETE'): Promise<T> {
  const response = await callOperator(path, body, method)
  return describedData(method ?? (body === undefined ? 'GET' : 'POST'), `/platform/v1${path}`, response)
}
