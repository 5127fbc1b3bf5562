import type { Query } from '#client/api'
import { DRUG_FORMS } from '#shared/records/drug-forms'
import { PROBLEM_CODES, type ProblemCode } from '#shared/records/problem-codes'
import type { RecordType } from '#shared/records/record-type'
import { KINDS } from '#shared/records/types/lab-test'
import { keysOf } from '#shared/text/keys-of'

type Kind = (typeof KINDS)[number]

/** Medications that are linked to an accepted dosage form, or to none. */
export const LINKED = 'linked'
export const UNLINKED = 'unlinked'

/** Which records of a catalog to list. Empty values do not filter. */
export interface ListFilters {
  /** `problems`: records that may be wrong, which have their own list. */
  states: 'active' | 'inactive' | 'all' | 'problems'
  /** `LINKED`, `UNLINKED`, or the ID of an accepted dosage form. */
  form: string
  kind: Kind | ''
  /** A day, `2026-11-20`: changed on or after that day. */
  since: string
  /** For `problems`: only one kind. */
  problem: ProblemCode | ''
}

export const NO_FILTERS: ListFilters = { states: 'active', form: '', kind: '', since: '', problem: '' }

/** `states` by the `inactive` value in the URL. Without it, only active records are listed. */
const INACTIVE: Readonly<Record<string, ListFilters['states']>> = {
  '1': 'all',
  only: 'inactive',
  problems: 'problems',
}

const isForm = (text: string): boolean =>
  text === LINKED || text === UNLINKED || DRUG_FORMS.some(({ form_id }) => form_id === text)

const startOf = (day: string): Date => new Date(`${day}T00:00`)

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(startOf(text).getTime())

const knownValue = (text: string | null, isKnown: (text: string) => boolean): string =>
  text !== null && isKnown(text) ? text : ''

/** Parses the filters in a URL's query. Ignores unknown values. */
export const filtersIn = (parameters: URLSearchParams): ListFilters => ({
  states: INACTIVE[parameters.get('inactive') ?? ''] ?? 'active',
  form: knownValue(parameters.get('form'), isForm),
  kind: KINDS.find((kind) => kind === parameters.get('kind')) ?? '',
  since: knownValue(parameters.get('since'), isDay),
  problem: PROBLEM_CODES.find((code) => code === parameters.get('problem')) ?? '',
})

export function putFilters(parameters: URLSearchParams, filters: ListFilters): void {
  const { states, form, kind, since, problem } = filters
  const inactive = Object.keys(INACTIVE).find((key) => INACTIVE[key] === states)
  if (inactive !== undefined) parameters.set('inactive', inactive)
  for (const [name, value] of Object.entries({ form, kind, since, problem })) {
    if (value !== '') parameters.set(name, value)
  }
}

export const countFilters = (filters: ListFilters): number =>
  keysOf(NO_FILTERS).filter((name) => filters[name] !== NO_FILTERS[name]).length

/** Whether the search or a filter other than `states` excludes records. */
export const isFiltered = ({ q, form, kind, since }: ListFilters & { q: string }): boolean =>
  [q.trim(), form, kind, since].some((value) => value !== '')

/** Whether this type has the filter by dosage form. */
export const hasForms = ({ name }: RecordType): boolean => name === 'medication'
/** Whether this type has the filter by kind of lab test. */
export const hasKinds = ({ name }: RecordType): boolean => name === 'lab_test'

type ListQuery = Query<'get', '/admin/datasets/v1/'>

/** The filters and the search as query parameters of the API. */
export function queryOf(type: RecordType, { q, ...filters }: ListFilters & { q: string }): ListQuery {
  const { states, kind, since } = filters
  const form = hasForms(type) ? filters.form : ''
  return {
    type: type.name,
    ...(q.trim() === '' ? {} : { q, match: 'all' as const }),
    ...(states === 'all' ? { show_inactive: '1' as const } : {}),
    ...(states === 'inactive' ? { active: false } : {}),
    ...(form === LINKED || form === UNLINKED ? { linked: form === LINKED } : {}),
    ...(form !== '' && form !== LINKED && form !== UNLINKED ? { form_id: form } : {}),
    ...(hasKinds(type) && kind !== '' ? { kind } : {}),
    // `updated_since` excludes its own time. One millisecond earlier includes the start of the day.
    ...(since === '' ? {} : { updated_since: new Date(startOf(since).getTime() - 1).toISOString() }),
  }
}
