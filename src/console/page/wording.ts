/** `lab tests` as the start of a sentence or a label: `Lab tests`. */
export const titleCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const NUMBER = new Intl.NumberFormat('en')

/** `44328` as `44,328`. */
export const numberText = (value: number): string => NUMBER.format(value)

/** `1 record`, `2,000 records`. */
export const countText = (count: number, one: string, many: string): string =>
  `${numberText(count)} ${count === 1 ? one : many}`

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** An ISO 8601 time in the reader's own time zone. */
export const timeText = (iso: string): string => TIME.format(new Date(iso))

const LABELS: Readonly<Record<string, string>> = {
  is_active: 'Active',
  refid: 'Reference id',
  otc: 'OTC',
  sku: 'SKU',
  loinc: 'LOINC',
  snomed_id: 'SNOMED id',
  icd10: 'ICD-10',
  icd10_term: 'ICD-10 term',
}

/** The name of a field for people: `generic_name` as `Generic name`. */
export const fieldLabel = (name: string): string => LABELS[name] ?? titleCase(name.replaceAll('_', ' '))

/** A value of a record as a person reads it; an em dash where there is none. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value)) return value.length === 0 ? '—' : value.map(valueText).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
