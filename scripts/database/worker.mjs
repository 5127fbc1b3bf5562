/**
 * The Worker through which the scripts use a local database. It runs in the runtime itself, so that rows do not pass
 * through a proxy one by one. It is not part of the service.
 */
import { describeTables, dump } from './dump.mjs'

/** A body that streams texts. */
function streamed(texts) {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}

export default {
  async fetch(request, databases) {
    const [, binding, name] = new URL(request.url).pathname.split('/')
    const DB = databases[binding]
    const read = (sql, ...parameters) =>
      DB.prepare(sql)
        .bind(...parameters)
        .raw()
    const answers = {
      dump: async () => new Response(streamed(dump(read, await describeTables(read)))),
      read: async () => {
        const { sql, parameters } = await request.json()
        return Response.json(await read(sql, ...parameters))
      },
      batch: async () => {
        const statements = await request.json()
        await DB.batch(statements.map((sql) => DB.prepare(sql)))
        return Response.json(statements.length)
      },
    }
    try {
      return await answers[name]()
    } catch (error) {
      return new Response(error.message, { status: 500 })
    }
  },
}
