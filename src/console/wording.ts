import type { Role } from '#shared/access/caller'
import type { EnumField } from '#shared/records/record-type'

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

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })

/** Like `timeText`, but only the time of day if the day is today for the reader: `02:14`. */
export function shortTimeText(iso: string, now: Date): string {
  const time = new Date(iso)
  return time.toDateString() === now.toDateString() ? CLOCK.format(time) : TIME.format(time)
}

const LABELS: Readonly<Record<string, string>> = {
  is_active: 'Active',
  generic_list: 'Generic components',
  generic_list_ids: 'IDs of the generic components',
  form_name: 'Dosage form',
  schedule_code: 'Schedule',
  therapy_class: 'Therapeutic class',
  therapy_class_id: 'Therapeutic class ID',
  action_class: 'Mode of action',
  action_class_id: 'Mode of action ID',
  result_type: 'Type of result',
  panel_members: 'Tests in the panel',
  panel_member_ids: 'IDs of the tests in the panel',
  laterality: 'Side of the body',
  refid: 'Reference ID',
  otc: 'OTC',
  sku: 'SKU',
  loinc: 'LOINC',
  snomed_id: 'SNOMED ID',
  icd10: 'ICD-10',
  icd10_term: 'ICD-10 term',
}

/** The label of a field: `generic_name` as `Generic name`, `unit_id` as `Unit ID`. */
export const fieldLabel = (name: string): string =>
  LABELS[name] ?? titleCase(name.replaceAll('_', ' ').replace(/ id$/, ' ID'))

const ACRONYM = /^[A-Z]{2}/

/** The label of a field as part of a sentence: `generic name`, `SKU`. */
export function fieldWord(name: string): string {
  const label = fieldLabel(name)
  return ACRONYM.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}

/** Formats any value of a record as text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value)) return value.length === 0 ? '—' : value.map(valueText).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const VALUES: Readonly<Record<string, string>> = { na: 'Not applicable', numerical: 'Number', string: 'Text' }

/** The label of an enum value: `special_test` as `Special test`, `F` as `Female`. */
export function valueLabel({ spellings = {} }: Pick<EnumField, 'spellings'>, value: string): string {
  const words = Object.keys(spellings).filter((spelling) => spellings[spelling] === value)
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), value)
  return VALUES[value] ?? titleCase(longest.replaceAll('_', ' '))
}

const KIBIBYTE = 1024
const SIZE = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** `532 bytes`, `3.4 MB`; a kilobyte is 1024 bytes, as in the upload limit. */
export function sizeText(bytes: number): string {
  if (bytes < KIBIBYTE) return countText(bytes, 'byte', 'bytes')
  const kibibytes = bytes / KIBIBYTE
  return kibibytes < KIBIBYTE ? `${SIZE.format(kibibytes)} KB` : `${SIZE.format(kibibytes / KIBIBYTE)} MB`
}

/** The non-blank lines of a typed text, trimmed. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Characters that are invisible or easily mistaken for others: spaces, hyphens, letters of other scripts. */
const AMBIGUOUS = /[\p{C}\p{Z}]|(?!-)\p{Pd}|[\p{Script=Cyrillic}\p{Script=Greek}]/gu

/** Replaces such characters by their names: `A⟨U+200B⟩1`. */
export const nameAmbiguous = (text: string): string =>
  text.replace(AMBIGUOUS, (character) =>
    character === ' ' ? '␣' : `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )

type ProgramNames = ReadonlyMap<string, string>

/**
 * Who wrote something: the email address of a user, or the name of an integration.
 *
 * @param createdBy `user:` and an address, `partner:` and a key ID, `operator`, or the ID of a client
 * @param programs undefined until they are loaded
 */
export function authorText(createdBy: string, programs?: ProgramNames): string {
  if (createdBy === 'operator') return 'the operator'
  const [, kind, name = ''] = /^(user|partner):(.+)$/s.exec(createdBy) ?? []
  if (kind === 'user') return name
  if (kind === 'partner') return `Partner ${name}`
  return programs === undefined ? '…' : (programs.get(createdBy) ?? `Client ${createdBy}`)
}

export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  viewer: 'can read the catalogs and try the search',
  editor: 'can do what a viewer can, and upload, edit and turn partner search on or off',
  admin: 'can do what an editor can, and manage keys and members',
}

/** As a sentence: `Viewer: can read the catalogs and try the search.` */
export const roleText = (role: Role): string => `${titleCase(role)}: ${ROLE_MEANINGS[role]}.`
