import fc from 'fast-check'
import type { Fields, TestCatalog } from '../../../support/catalog'
import { TestHistory } from '../../../support/history'

interface Values {
  name: string
  strength: string | null
  is_active: boolean
}

type State = ReadonlyMap<string, Values>

export type Operation =
  | { kind: 'write'; mode: 'upsert' | 'reconcile'; records: (Values & { id: number })[] }
  /** The revision to restore, as a share of the existing ones. */
  | { kind: 'restore'; share: number }

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      mode: fc.constantFrom('upsert' as const, 'reconcile' as const),
      records: fc.uniqueArray(
        fc.record({
          id: fc.nat(5),
          name: fc.constantFrom('alpha', 'beta'),
          strength: fc.constantFrom(null, 'weak', 'strong'),
          is_active: fc.boolean(),
        }),
        { maxLength: 5, selector: ({ id }) => id },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), share: fc.nat(99) }) },
)

export const operations = fc.array(operation, { minLength: 1, maxLength: 9 })

const valuesOf = ({ name, strength, is_active }: Fields): Values => ({ name, strength, is_active }) as Values

const equal = (a: State, b: State): boolean => JSON.stringify([...a].sort()) === JSON.stringify([...b].sort())

/** A catalog under random writes and restores, and a model with its content after each revision. */
export class ModelledCatalog {
  readonly history: TestHistory
  readonly states: State[] = [new Map()]

  constructor(readonly catalog: TestCatalog) {
    this.history = new TestHistory(catalog)
  }

  get state(): State {
    return this.states.at(-1)!
  }

  get revision(): number {
    return this.states.length - 1
  }

  /** The catalog after the restore of a revision: records that did not exist yet are inactive. */
  restored(revision: number): State {
    const then = this.states[revision]!
    return new Map([...this.state].map(([id, now]) => [id, then.get(id) ?? { ...now, is_active: false }]))
  }

  #became(state: State): void {
    if (!equal(this.state, state)) this.states.push(state)
  }

  async apply(operation: Operation): Promise<void> {
    if (operation.kind === 'restore') return this.restore(operation.share % this.states.length)
    const { mode, records } = operation
    const sent = records.map(({ id, ...values }) => this.catalog.record(`${id}`, { ...values }))
    await this.catalog.write(sent, { mode, confirm_shrink: true })
    const state = new Map(this.state)
    const kept = new Set(records.map(({ id }) => `${id}`))
    if (mode === 'reconcile') {
      for (const [id, values] of state) if (!kept.has(id)) state.set(id, { ...values, is_active: false })
    }
    for (const { id, ...values } of records) state.set(`${id}`, values)
    this.#became(state)
  }

  async restore(revision: number): Promise<void> {
    await this.history.restore(revision, { confirm_shrink: true })
    this.#became(this.restored(revision))
  }

  /** The content of the catalog in the form of the model. */
  async stored(): Promise<State> {
    return new Map([...(await this.catalog.contents())].map(([id, fields]) => [id, valuesOf(fields)]))
  }
}
