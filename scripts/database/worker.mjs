/** The Worker through which the scripts use local databases, in the runtime itself. It is not part of the service. */
export default {
  async fetch(request, databases) {
    const [, binding, name] = new URL(request.url).pathname.split('/')
    const DB = databases[binding]
    const answers = {
      read: async () => {
        const { sql, parameters } = await request.json()
        return DB.prepare(sql)
          .bind(...parameters)
          .raw()
      },
      batch: async () => {
        const statements = await request.json()
        await DB.batch(statements.map((sql) => DB.prepare(sql)))
        return statements.length
      },
    }
    try {
      return Response.json(await answers[name]())
    } catch (error) {
      return new Response(error.message, { status: 500 })
    }
  },
}
