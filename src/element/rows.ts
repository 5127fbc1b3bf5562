import type { FoundRecord } from '#client/found-record'

/** What a run of items has in common. */
interface Group {
  match: 'exact' | 'beginning' | 'misspelt' | 'left_out'
  /** Items of the answer. */
  count: number
  /** The words that were searched; null if they are those that were typed. */
  query: string | null
  /** The words that were left out. */
  left_out: readonly string[]
}

/** What the search answers. */
export interface Answer {
  /** The catalog that was searched: `workspace` or `provider`. */
  source: string
  items: readonly FoundRecord[]
  /** What the items are, in their order. */
  groups: readonly Group[]
  /** Whether there is a next page. */
  has_more: boolean
}

/** Records that are equal in name, strength and form. If there are several, an opened row shows how they differ. */
export type Row = readonly [...FoundRecord[], FoundRecord]

/** The records of a group, of all answers to one text. */
export interface Section extends Omit<Group, 'count'> {
  records: FoundRecord[]
}

/** Whether these are ordinary matches. */
export const isOrdinary = ({ match }: Section): boolean => match === 'exact' || match === 'beginning'

/** Adds the items of an answer to the sections of those before. */
export function addAnswer(sections: Section[], { items, groups }: Answer): void {
  let from = 0
  for (const { count, ...group } of groups) {
    const records = items.slice(from, from + count)
    from += count
    const last = sections.at(-1)
    if (last?.match === group.match && last.query === group.query) last.records.push(...records)
    else sections.push({ ...group, records })
  }
}

/** Fields that follow the name, and are shown even if a record has no value. Their texts say so. */
export const ALWAYS_SHOWN = ['strength', 'form_name', 'manufacturer'] as const

const CODES = ['icd10', 'snomed_id', 'gender']

/** Fields that distinguish records, by their type. Those of the other types are shown if they have a value. */
const DETAILS: Readonly<Record<string, readonly string[]>> = {
  medication: ALWAYS_SHOWN,
  lab_test: ['kind', 'specimen', 'method', 'unit', 'loinc'],
  symptom: CODES,
  diagnosis: CODES,
}

/** The record types. */
export const TYPES: readonly string[] = Object.keys(DETAILS)

/** The value of a field as text; empty if there is none. */
export const textOf = (record: FoundRecord, field: string): string => {
  const value = record[field]
  return typeof value === 'string' ? value.trim() : ''
}

/** The name that is shown. */
export const nameOf = (record: FoundRecord): string => textOf(record, 'display_name') || textOf(record, 'name')

/** Some values of a record as one text, to compare records by. */
const comparableText = (record: FoundRecord, fields: readonly string[]): string =>
  JSON.stringify(fields.map((field) => textOf(record, field).toLowerCase()))

/** The fields that distinguish records of a type. */
export const detailsOf = (type: string): readonly string[] => DETAILS[type] ?? []

/** Text without case and accents. @param form `NFD` keeps `½` and `10⁸` distinct from `12` and `108` */
const simple = (text: string, form = 'NFKD'): string =>
  text
    .normalize(form)
    .replace(/\p{sc=Zinh}/gu, '')
    .toUpperCase()

/** A word, a number with all symbols between its digits, or another symbol. Skips brackets, dashes and separators. */
const TOKEN = /[\p{L}\p{M}]+|,?\p{N}+([^\s\p{L}]+\p{N}+)*|[^\s,;:()[\]\p{Pd}]/gu

/** The tokens of a text, each with a space before and after it. */
const tokensOf = (text: string): string =>
  (simple(text, 'NFD').match(TOKEN) ?? []).map((token) => ` ${token} `).join('')

/**
 * Whether text on a page stands for a record, and for no other dose. It must consist of whole values of the record,
 * and one of them must be a name. Part of a value is not enough: `Amoxiclav 125 mg` does not stand for 500 mg/125 mg.
 */
export function isNameOf(record: FoundRecord, text: string): boolean {
  if (text === nameOf(record)) return true
  let rest = tokensOf(text)
  const names = [nameOf(record), textOf(record, 'name')].map(tokensOf)
  const isNamed = names.some((name) => rest.includes(name))
  const others = [...ALWAYS_SHOWN, 'aliases'].flatMap((field) => record[field] ?? [])
  const values = [...names, ...others.map((value) => tokensOf(String(value)))]
  // Remove the longest values first. Otherwise removing `Aspirin` from `Aspirin protect` would leave a word.
  for (const value of values.sort((a, b) => b.length - a.length)) rest = rest.replaceAll(value, '|')
  return isNamed && /^\|+$/.test(rest)
}

/** The alias, id or code by which a record was found; undefined if a value that is shown says it. */
export function foundBy(type: string, record: FoundRecord, q: string): string | undefined {
  const words = simple(q).split(/\s+/)
  const holds = (value: unknown): value is string =>
    typeof value === 'string' && words.every((word) => simple(value).includes(word))
  const shown = ['name', 'display_name', ...detailsOf(type)].map((field) => record[field])
  if (holds(shown.join(' '))) return undefined
  const matches = Object.values({ ...record, source: '' })
    .flat()
    .filter(holds)
  // A code inside a longer ID is probably not what the user meant.
  return matches.find((text) => simple(text).startsWith(simple(q))) ?? matches[0]
}

/** Groups records by a key, in the order of their first records. Each group has at least one. */
const groupRecords = (records: readonly FoundRecord[], keyOf: (record: FoundRecord) => unknown): Row[] =>
  [...Map.groupBy(records, keyOf).values()] as (readonly FoundRecord[])[] as Row[]

/** Groups records into rows. Only medications share one. Of other types, ids distinguish records that look alike. */
export const rowsOf = (type: string, records: readonly FoundRecord[]): Row[] =>
  groupRecords(records, (record) =>
    type === 'medication' ? comparableText(record, ['display_name', 'name', 'strength', 'form_name']) : record,
  )

/** Records that look like another one of the answer in all that is shown: their ids are shown too. */
export function lookalikesOf(type: string, records: readonly FoundRecord[]): ReadonlySet<FoundRecord> {
  const fields = ['display_name', 'name', ...detailsOf(type)]
  const groups = groupRecords(records, (record) => comparableText(record, fields))
  return new Set(groups.filter(({ length }) => length > 1).flat())
}

/** How many manufacturers a row has. */
export const manufacturersOf = (row: Row): number =>
  new Set(row.map((record) => comparableText(record, ['manufacturer']))).size
