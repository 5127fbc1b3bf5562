/**
 * The Worker of `npm start`: the real one, whose scheduled run can also be asked for, at the path of `wrangler dev`.
 * Miniflare answers this path only to this machine.
 */
import worker from '../../src/index.ts'

export * from '../../src/index.ts'

const SCHEDULED_PATH = '/cdn-cgi/handler/scheduled'

export default {
  ...worker,
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== SCHEDULED_PATH) return worker.fetch(request, env, context)
    try {
      await worker.scheduled({ scheduledTime: Number(searchParams.get('time') ?? Date.now()) }, env, context)
    } catch ({ message }) {
      return new Response(message, { status: 500 })
    }
    return new Response('ok')
  },
}
