/** One possible call and its answer. A test sends it to the running service. */
export interface Example {
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  /** By content type: a value if the body is JSON, else text. */
  body?: Readonly<Record<string, unknown>>
  /** By content type. */
  answer?: Readonly<Record<string, unknown>>
}

/** @param csv the answer as a file, if it can be one */
export const answered = (message: string, data: unknown, csv?: string): Pick<Example, 'answer'> => ({
  answer: {
    'application/json': { success: true, message, data },
    ...(csv === undefined ? {} : { 'text/csv': csv }),
  },
})

export const sending = (value: unknown): Pick<Example, 'body'> => ({ body: { 'application/json': value } })

export const CREATED_AT = '2026-11-20T18:00:00.000Z'

const ONE_PAGE = { count: 1, total: 1, limit: 100, offset: 0, has_more: false }

/** A page with one item. */
export const pageWith = (item: unknown) => ({ items: [item], ...ONE_PAGE })
