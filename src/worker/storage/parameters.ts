import { type SQL, sql } from 'drizzle-orm'
import { type Statement, statementOf } from './statements'

/**
 * The values of a statement that is written as text with numbered parameters. Drizzle takes longer to put a large
 * statement together than its database needs to run it.
 */
export class Parameters {
  readonly #numbers = new Map<string, number>()

  /** @returns the parameter that stands for a value. The text must use it: D1 refuses values that nothing uses */
  of(value: string): string {
    const known = this.#numbers.get(value)
    if (known !== undefined) return `?${known}`
    this.#numbers.set(value, this.#numbers.size + 1)
    return `?${this.#numbers.size}`
  }

  /** @param text must hold no question mark but those of parameters */
  statement<Row>(text: string): Statement<Row> {
    return statementOf(text, [...this.#numbers.keys()])
  }

  /** Such a text as a part of a statement of Drizzle. */
  sql(text: string): SQL {
    const values = [...this.#numbers.keys()]
    const parts = text.split(/\?(\d+)/)
    return sql.join(parts.map((part, n) => (n % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)))
  }
}
