import { keysOf } from '#shared/text/keys-of'
import { DRUG_FORMS, formIdOf } from './drug-forms'
import type { RecordTypeName } from './record-type'
import { KINDS } from './types/lab-test'

/**
 * The filters of a list by the value of a field. The scan of the catalog and the condition in the database follow from
 * an entry here. The parameter of the query and the choices of the console are added by hand (docs/architecture.md,
 * check lists).
 */

/** The type of the value that each filter looks for, by query parameter. */
interface FilterValues {
  form_id: string
  linked: boolean
  kind: (typeof KINDS)[number]
}

export type FieldFilterName = keyof FilterValues

interface FieldFilter<Value> {
  types: readonly RecordTypeName[]
  /** The field whose stored value decides. */
  field: string
  values: readonly Value[]
  /**
   * Whether a record with this value is wanted, null for none. It runs once for each different value of a catalog.
   * Without it the stored value must be the wanted one.
   */
  matches?: (stored: string | null, wanted: Value) => boolean
}

export const FIELD_FILTERS: { readonly [Name in FieldFilterName]: FieldFilter<FilterValues[Name]> } = {
  form_id: {
    types: ['medication'],
    field: 'form_name',
    values: DRUG_FORMS.map(({ form_id }) => form_id),
    matches: (name, id) => name !== null && formIdOf(name) === id,
  },
  linked: {
    types: ['medication'],
    field: 'form_name',
    values: [true, false],
    matches: (name, linked) => (name !== null && formIdOf(name) !== null) === linked,
  },
  kind: { types: ['lab_test'], field: 'kind', values: KINDS },
}

/** The names of the filters that a query uses. */
export const fieldFiltersIn = (query: { readonly [Name in FieldFilterName]?: unknown }): FieldFilterName[] =>
  keysOf(FIELD_FILTERS).filter((name) => query[name] !== undefined)

/** What a query asks of a stored value; undefined if the value must be the wanted one, or if it asks for nothing. */
export function matcherOf<Name extends FieldFilterName>(
  name: Name,
  query: { readonly [Each in FieldFilterName]?: FilterValues[Each] | undefined },
): ((stored: string | null) => boolean) | undefined {
  const { matches } = FIELD_FILTERS[name]
  const value = query[name]
  return matches && value !== undefined ? (stored) => matches(stored, value) : undefined
}
