import { shorten } from '#shared/errors/echoed-value'
import { type FieldError, fieldError } from '#shared/errors/errors'
import { nearestName } from '#shared/errors/nearest-name'
import { MAX_WARNINGS } from '#shared/limits'
import { ERRORS_COLUMN, type Field, type RecordType } from '#shared/records/record-type'
import { READ_ONLY_FIELDS } from '#shared/records/record-types'
import { textKeptByFormula } from '#shared/records/text-faults'
import type { Warning } from '#shared/records/warnings'
import { saysUse } from './state-headers'

/** A header in the form for comparisons: lower case, underscores for spaces and hyphens, no invisible characters. */
export const normalizedHeader = (header: string): string =>
  (textKeptByFormula(header) ?? header)
    .replace(/\p{Cf}+/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

/** A text without accents: `Dénomination` as `Denomination`. */
const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{Mn}+/gu, '')

/** A header without accents and word separators: `unitofmeasure` for `Unit of measure` and `unitOfMeasure`. */
export const compactHeader = (header: string): string =>
  withoutAccents(normalizedHeader(header)).replaceAll(/[_.:*/\\()'’#°?-]+/g, '')

/** The known CSV headers of a record type (docs/contract.md#csv-headers). */
export class HeaderNames {
  readonly #fields = new Map<string, Field>()
  readonly #ignored = new Set<string>([...READ_ONLY_FIELDS, ERRORS_COLUMN])

  constructor(type: RecordType) {
    for (const field of type.fields) {
      for (const name of [field.name, ...(field.headers ?? [])]) this.#fields.set(name, field)
    }
  }

  fieldOf(header: string): Field | undefined {
    return this.#fields.get(normalizedHeader(header))
  }

  isIgnored(header: string): boolean {
    return this.#ignored.has(normalizedHeader(header))
  }

  /** The field that a misspelled header means; undefined if no name is similar or the field already has a column. */
  nearestField(header: string, fieldsWithColumn: ReadonlySet<Field>): Field | undefined {
    const names = [...this.#fields].filter(([, field]) => !fieldsWithColumn.has(field)).map(([name]) => name)
    const nearest = likelyName(normalizedHeader(header), names)
    return nearest === undefined ? undefined : this.#fields.get(nearest)
  }

  /** Whether an unknown header may mean a field: it is misspelled, or shares a word with one of the field's names. */
  mayMean(header: string, field: Field): boolean {
    const names = [field.name, ...(field.headers ?? [])]
    if (likelyName(header, names) !== undefined) return true
    const words = new Set(names.flatMap((name) => name.split('_')))
    return header.split('_').some((word) => words.has(word))
  }

  isKnown(header: string): boolean {
    return this.fieldOf(header) !== undefined || this.isIgnored(header)
  }
}

export interface Column {
  /** In the row, from 0. */
  position: number
  field: Field
}

export interface Header {
  /** Cells of the header row. */
  width: number
  /** In the order of the type's fields. */
  columns: readonly Column[]
  /** Positions of columns without a header, ascending. They are an error only if they have values. */
  unnamedPositions: readonly number[]
  /** Positions of all columns of mandatory fields. One without values counts as missing. */
  mandatoryPositions: readonly number[]
  /** One for each ignored column, by its original header. */
  warnings: readonly Warning[]
  /** Fields with two columns, and mandatory fields with none. */
  errors: readonly FieldError[]
  /** The fields of `errors`. They have no column here. */
  unreadFields: ReadonlySet<string>
}

/** A column that may belong to a field, with its original header. */
type Candidate = { position: number; header: string }

const IGNORED_MESSAGE = 'unknown column, ignored'

const NONE: ReadonlySet<number> = new Set()

/**
 * Finds the column of each field (docs/contract.md#csv-columns).
 *
 * @param emptyPositions columns without values: for a mandatory field, such a column counts as missing
 */
export function readHeader(
  cells: readonly string[],
  type: RecordType,
  names: HeaderNames,
  emptyPositions: ReadonlySet<number> = NONE,
): Header {
  /** Columns by each field's own name and by its alternative names. */
  const candidates = new Map<Field, { own: Candidate[]; others: Candidate[] }>()
  /** Columns of mandatory fields without a value. */
  const emptyColumns = new Map<Field, string[]>()
  const mandatoryPositions: number[] = []
  const unnamedPositions: number[] = []
  const unknown = new Map<string, string>()
  cells.forEach((cell, position) => {
    const field = names.fieldOf(cell)
    const header = cell.trim()
    if (field?.required) mandatoryPositions.push(position)
    if (field?.required && emptyPositions.has(position)) {
      emptyColumns.set(field, [...(emptyColumns.get(field) ?? []), header])
    } else if (field !== undefined) {
      const fieldColumns = candidates.get(field) ?? { own: [], others: [] }
      candidates.set(field, fieldColumns)
      fieldColumns[normalizedHeader(cell) === field.name ? 'own' : 'others'].push({ position, header })
    } else if (header === '') {
      unnamedPositions.push(position)
    } else if (!names.isIgnored(cell) && !unknown.has(normalizedHeader(cell))) {
      unknown.set(normalizedHeader(cell), header)
    }
  })

  const columns: Column[] = []
  const warnings: Warning[] = []
  const errors: FieldError[] = []
  for (const field of type.fields) {
    const { own, others } = candidates.get(field) ?? { own: [], others: [] }
    const columnsOfField = own.length > 0 ? own : others
    const [first, second] = columnsOfField
    if (second !== undefined) {
      errors.push(severalColumns(field, columnsOfField, second))
    } else if (first !== undefined) {
      columns.push({ position: first.position, field })
    } else if (field.required) {
      const headers = [...unknown].filter(([name]) => names.mayMean(name, field)).map(([, header]) => shorten(header))
      errors.push(missingColumn(field, headers.slice(0, NEAREST_HEADERS), emptyColumns.get(field)))
    }
    if (own.length > 0) warnings.push(...others.map(({ header }) => alternativeColumn(field, header)))
  }
  const fieldsWithColumn = new Set(candidates.keys())
  for (const header of unknown.values()) {
    // A write does not list more of them.
    const nearest = warnings.length < MAX_WARNINGS ? names.nearestField(header, fieldsWithColumn) : undefined
    const isState = ![...fieldsWithColumn].some(({ name }) => name === 'is_active') && saysUse(compactHeader(header))
    warnings.push(isState ? ignoredState(header, 'column') : unknownColumn(header, nearest))
  }
  const unreadFields = new Set(errors.flatMap(({ field }) => field ?? []))
  return { width: cells.length, columns, unnamedPositions, mandatoryPositions, warnings, errors, unreadFields }
}

const NEAREST_HEADERS = 3

const quoted = (headers: readonly string[]): string => headers.map((one) => `"${one}"`).join(' or ')

/** @param empty headers of the field's columns without values */
function missingColumn(
  { name, headers = [] }: Field,
  nearest: readonly string[],
  empty: readonly string[] = [],
): FieldError {
  const names = [name, ...headers].join(', ').replace(/, (?=[^,]*$)/, ' or ')
  const offer = nearest.length === 0 ? '' : `; perhaps it is the column ${quoted(nearest)}`
  const msg =
    empty.length === 0
      ? `is required but has no column; add one with the header ${names}${offer}`
      : `is required but its column ${quoted(empty.map((header) => shorten(header)))} has no values; fill it${offer}`
  return { ...fieldError(null, name, 'required', msg), ...(nearest.length === 0 ? {} : { nearest: [...nearest] }) }
}

function severalColumns(field: Field, columnsOfField: readonly Candidate[], second: Candidate): FieldError {
  const headers = columnsOfField.map(({ header }) => header)
  const column = second.position + 1
  const msg = `has more than one column (column ${column} is the second); keep one of them`
  return fieldError(null, field.name, 'ambiguous_column', msg, headers, { column })
}

const alternativeColumn = (field: Field, header: string): Warning => ({
  field: header,
  msg: `ignored, because the column ${field.name} is read for the same field`,
})

/** The warning about a column or property that seems to show which records are active but is not read. */
export const ignoredState = (name: string, kind: 'column' | 'field'): Warning => ({
  field: shorten(name),
  code: 'ignored_state',
  msg: `unknown ${kind}, ignored, although it seems to say which records are in use; send is_active with true or false`,
})

const unknownColumn = (header: string, nearest: Field | undefined): Warning => ({
  field: shorten(header),
  msg: nearest === undefined ? IGNORED_MESSAGE : `${IGNORED_MESSAGE}; did you mean ${nearest.name}?`,
})

/** Shorter headers are similar to too many names (`Dose` to `code`). Longer ones are not names. */
const SHORTEST_MISSPELT_HEADER = 5
const LONGEST_MISSPELT_HEADER = 64

/** Words that change the meaning of the words next to them: a manufacture date is not a manufacturer. */
const FURTHER_WORDS: readonly string[] = [
  ...['date', 'time', 'day', 'year', 'code', 'id', 'ids', 'no', 'nr', 'num', 'number', 'count', 'type', 'kind'],
  ...['qty', 'quantity', 'price', 'cost', 'status', 'note', 'notes', 'url', 'low', 'high', 'min', 'max', 'range'],
]

/** Prefixes that turn a word into its opposite: `inactive`. */
const OPPOSITES: readonly string[] = ['in', 'non', 'not', 'un', 'dis']

/** A shorter word may be part of another word by chance. */
const SHORTEST_WORD = 4

const partsOfName = (name: string): string[] => name.split('_').filter((word) => word !== '')

const lettersOf = (name: string): string => name.replaceAll('_', '')

function isOpposite(written: string, name: string): boolean {
  const [ofWritten, ofName, letters] = [partsOfName(written), partsOfName(name), lettersOf(written)]
  return OPPOSITES.some(
    (opposite) =>
      !ofName.some((word) => word.startsWith(opposite)) &&
      (ofWritten.some((word) => word.startsWith(opposite)) ||
        ofName.some((word) => word.length >= SHORTEST_WORD && letters.includes(opposite + word))),
  )
}

function saysMore(written: string, name: string): boolean {
  const [ofWritten, ofName, letters] = [partsOfName(written), partsOfName(name), lettersOf(written)]
  return FURTHER_WORDS.some(
    (word) =>
      !ofName.includes(word) && (ofWritten.includes(word) || (word.length >= SHORTEST_WORD && letters.endsWith(word))),
  )
}

/** The name that a misspelled header means; undefined if no name is similar. @param header normalized */
function likelyName(header: string, names: readonly string[]): string | undefined {
  if (header.length < SHORTEST_MISSPELT_HEADER || header.length > LONGEST_MISSPELT_HEADER) return undefined
  // Extra letters may be a prefix that means the opposite, or a further word.
  const candidates = names.filter((name) => !isOpposite(header, name) && !saysMore(header, name))
  return nearestName(header, candidates)
}
