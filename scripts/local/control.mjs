/** How programs of this machine control the local service: its scheduled run, its clock and its
 * databases. */

export const SCHEDULED_PATH = '/cdn-cgi/handler/scheduled'
export const QUERY_PATH = '/cdn-cgi/handler/query'
export const CLOCK_PATH = '/cdn-cgi/handler/clock'

const HEADER = 'Sec-Local-Control'

/**
 * A request that controls the service. A scheduled run deletes what has expired, so a page must not be able to ask for
 * one: an image sends no POST, and no script of a page can set a header that begins with `Sec-`.
 */
export const CONTROL = { method: 'POST', headers: { [HEADER]: '1' } }

/** Why a request may not control the service; undefined if it may. */
export function controlRefusal({ method, headers }) {
  if (method !== CONTROL.method) return new Response('Send POST.\n', { status: 405, headers: { Allow: 'POST' } })
  return headers.has(HEADER) ? undefined : new Response(`Send the header ${HEADER}.\n`, { status: 403 })
}
