/** A record as the search returns it. */
export type FoundRecord = Readonly<Record<string, unknown>>

/** What the search answers. */
export interface Answer {
  items: readonly FoundRecord[]
  /** How many items at the end match only approximately. */
  approximate: number
  /** Whether there is a next page. */
  has_more: boolean
}

/** Records that are equal in name, strength and form. If there are several, an opened row shows how they differ. */
export type Row = readonly [...FoundRecord[], FoundRecord]

/** Records of one request. */
export const PAGE_RECORDS = 50

/** Most matches that can be read. There may be others, which a longer text finds. */
export const MOST_MATCHES = 500

/** Fields that follow the name, and are shown even if a record has no value. Their texts say so. */
export const ALWAYS_SHOWN = ['strength', 'form_name', 'manufacturer'] as const

/** Fields that distinguish records of the other types, shown if they have a value. */
const DETAILS: Readonly<Record<string, readonly string[]>> = {
  lab_test: ['kind', 'specimen', 'method', 'unit', 'loinc'],
  symptom: ['icd10', 'snomed_id', 'gender'],
  diagnosis: ['icd10', 'snomed_id', 'gender'],
}

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

/** The fields of a type that stand below the name. */
export const detailsOf = (type: string): readonly string[] => DETAILS[type] ?? []

/** A text without case and accents, as people type it. */
const simple = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The alias, id or code by which a record was found; undefined if a value that is shown says it. */
export function foundBy(type: string, record: FoundRecord, q: string): string | undefined {
  const words = simple(q).split(/\s+/)
  const holds = (value: unknown): value is string =>
    typeof value === 'string' && words.every((word) => simple(value).includes(word))
  const shown = ['name', 'display_name', ...detailsOf(type)].map((field) => record[field])
  if (holds(shown.join(' '))) return undefined
  const matches = Object.values(record).flat().filter(holds)
  // A code within a longer id is not what the text means.
  return matches.find((text) => simple(text).startsWith(simple(q))) ?? matches[0]
}

/** Groups records by a key, in the order of their first records. */
function groupRecords(records: readonly FoundRecord[], keyOf: (record: FoundRecord) => unknown): Row[] {
  const groups = new Map<unknown, Row>()
  for (const record of records) {
    const key = keyOf(record)
    groups.set(key, [...(groups.get(key) ?? []), record])
  }
  return [...groups.values()]
}

/** Groups records into rows. Only medications share one. Of other types, ids distinguish records that look alike. */
export const rowsOf = (type: string, records: readonly FoundRecord[]): Row[] =>
  groupRecords(records, (record) =>
    type === 'medication' ? comparableText(record, ['display_name', 'name', 'strength', 'form_name']) : record,
  )

/** Records that look like another one of the answer in all that is shown: their ids are shown too. */
export function lookalikesOf(type: string, records: readonly FoundRecord[]): ReadonlySet<FoundRecord> {
  const fields = ['display_name', 'name', ...(type === 'medication' ? ALWAYS_SHOWN : detailsOf(type))]
  const groups = groupRecords(records, (record) => comparableText(record, fields))
  return new Set(groups.filter(({ length }) => length > 1).flat())
}

/** How many manufacturers a row has. */
export const manufacturersOf = (row: Row): number =>
  new Set(row.map((record) => comparableText(record, ['manufacturer']))).size
