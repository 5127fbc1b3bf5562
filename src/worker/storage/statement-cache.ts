import { fillPlaceholders, type SQL, sql } from 'drizzle-orm'
import { LruMap } from '#shared/lru-map'
import { prepare } from './database'
import type { Statement } from './statements'

/** Puts a value that depends on the input of a statement into its SQL. */
export type Put<Input> = (value: (input: Input) => string) => SQL

/** Puts the values of one input, as parameters. */
export const valuesOf =
  <Input>(input: Input): Put<Input> =>
  (value) =>
    sql`${value(input)}`

/** Texts that are kept; some kilobytes each. */
const MOST_TEXTS = 200

/**
 * Statements whose text depends on the shape of their input only. Making the text of a large statement takes longer
 * than its database needs, so each text is made once.
 */
export class StatementCache<Input, Row> {
  readonly #made = new LruMap<string, (input: Input) => Statement<Row>>(MOST_TEXTS)
  readonly #shapeOf: (input: Input) => string
  readonly #build: (input: Input, put: Put<Input>) => SQL<Row>

  /**
   * @param shapeOf a key: inputs with the same key have the same text
   * @param build takes every value of the input with `put`, and uses the input itself only for what is in the key
   */
  constructor(shapeOf: (input: Input) => string, build: (input: Input, put: Put<Input>) => SQL<Row>) {
    this.#shapeOf = shapeOf
    this.#build = build
  }

  statement(input: Input): Statement<Row> {
    return this.#made.obtain(this.#shapeOf(input), () => this.#make(input))(input)
  }

  /** @param example an input of the shape */
  #make(example: Input): (input: Input) => Statement<Row> {
    const values = new Map<string, (input: Input) => string>()
    const put: Put<Input> = (value) => {
      const name = String(values.size)
      values.set(name, value)
      return sql`${sql.placeholder(name)}`
    }
    const statement = prepare(this.#build(example, put))
    return (input) => {
      const filled = Object.fromEntries([...values].map(([name, value]) => [name, value(input)]))
      return { ...statement, params: fillPlaceholders([...statement.params], filled) }
    }
  }
}
