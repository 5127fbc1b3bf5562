import type { FieldError } from '#errors'
import { ERRORS_COLUMN, type Field, READ_ONLY_FIELDS, type RecordType } from '#records/record-type'
import type { Warning } from '#records/warnings'
import { fileError } from './errors'

/** A header as it is compared: without regard to case, spaces and hyphens read as underscores. */
export const normalizedHeader = (header: string): string =>
  header
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

/** What the headers of a record type's CSV files mean. */
export class HeaderNames {
  readonly #fields = new Map<string, Field>()
  readonly #ignored = new Set<string>([...READ_ONLY_FIELDS, ERRORS_COLUMN])

  constructor(type: RecordType) {
    for (const field of type.fields) {
      for (const name of [field.name, ...(field.headers ?? [])]) this.#fields.set(name, field)
    }
  }

  /** The field that a header stands for, by its name or an alternative. */
  fieldOf(header: string): Field | undefined {
    return this.#fields.get(normalizedHeader(header))
  }

  /** Whether the column is passed over in silence. */
  isIgnored(header: string): boolean {
    return this.#ignored.has(normalizedHeader(header))
  }

  isKnown(header: string): boolean {
    return this.fieldOf(header) !== undefined || this.isIgnored(header)
  }
}

/** A column that is read. */
export interface Column {
  /** Place in the row, from 0. */
  position: number
  field: Field
}

export interface Header {
  /** Cells of the header row. */
  width: number
  /** In the order of the type's fields. */
  columns: readonly Column[]
  /** Places of columns without a header, ascending; a fault only where they have values. */
  unnamed: readonly number[]
  /** One for each unrecognised column, named as the caller wrote it. */
  warnings: readonly Warning[]
  /** Fields with two columns, and mandatory fields with none. */
  errors: readonly FieldError[]
}

/** Finds the column of each field (decisions, section 5). Read-only fields and the column of errors are passed over in silence. */
export function readHeader(cells: readonly string[], type: RecordType, names: HeaderNames): Header {
  const positions = new Map<Field, number[]>()
  const unnamed: number[] = []
  const unknown = new Map<string, Warning>()
  cells.forEach((cell, position) => {
    const field = names.fieldOf(cell)
    const header = cell.trim()
    if (field !== undefined) {
      const known = positions.get(field)
      if (known) known.push(position)
      else positions.set(field, [position])
    } else if (header === '') {
      unnamed.push(position)
    } else if (!names.isIgnored(cell) && !unknown.has(normalizedHeader(cell))) {
      unknown.set(normalizedHeader(cell), { field: header, msg: 'unknown column, ignored' })
    }
  })

  const columns: Column[] = []
  const errors: FieldError[] = []
  for (const field of type.fields) {
    const found = positions.get(field) ?? []
    if (found.length > 1) {
      const written = found.map((position) => cells[position]!.trim())
      errors.push(fileError('ambiguous_column', 'has more than one column', field.name, written))
    }
    if (found.length === 0 && field.required)
      errors.push(fileError('required', 'has no column, but is mandatory', field.name))
    if (found.length > 0) columns.push({ position: found[0]!, field })
  }
  return { width: cells.length, columns, unnamed, warnings: [...unknown.values()], errors }
}
