/** Control of the local service by other processes of this machine: its scheduled run, its clock and its databases. */

export const SCHEDULED_PATH = '/cdn-cgi/handler/scheduled'
export const QUERY_PATH = '/cdn-cgi/handler/query'
export const CLOCK_PATH = '/cdn-cgi/handler/clock'

const HEADER = 'Sec-Local-Control'

/**
 * A request that controls the service. A scheduled run deletes expired data, so a web page must not be able to start
 * one: an image cannot send POST, and no script can set a header that begins with `Sec-`.
 */
export const CONTROL = { method: 'POST', headers: { [HEADER]: '1' } }

/** The response to a request that must not control the service; undefined if it may. */
export function controlRefusal({ method, headers }) {
  if (method !== CONTROL.method) return new Response('Send POST.\n', { status: 405, headers: { Allow: 'POST' } })
  return headers.has(HEADER) ? undefined : new Response(`Send the header ${HEADER}.\n`, { status: 403 })
}
