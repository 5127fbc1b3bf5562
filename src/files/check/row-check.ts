import type { TableColumn } from '#files/fix/table'
import { cellReader } from '#shared/records/csv/cell'
import { type Field, fieldNamed, type RawRecord, type RecordType } from '#shared/records/record-type'
import { RecordRules } from '#shared/records/rules'

/** The errors of some cells, by column position. */
export type CellErrors = ReadonlyMap<number, string>

/** Checks one row by the service's rules, except for duplicate IDs. */
export function rowCheck(type: RecordType, columns: readonly TableColumn[]) {
  const rules = new RecordRules(type)
  const plan = columns.flatMap(({ column, field: name }) => {
    const field = fieldNamed(type, name)
    return field === undefined ? [] : [{ column, name: field.name, read: cellReader(field) }]
  })
  return (cells: readonly string[]): CellErrors => {
    const record: RawRecord = {}
    for (const { column, name, read } of plan) record[name] = read(cells[column] ?? '')
    const messages = new Map(rules.check(record).map(({ field, msg }) => [field, msg]))
    return new Map(
      plan.flatMap(({ column, name }) => {
        const message = messages.get(name)
        return message === undefined ? [] : [[column, message] as const]
      }),
    )
  }
}

/** Why a text is not a valid value of a field; undefined if it is valid. */
export function valueError(type: RecordType, field: Field, text: string): string | undefined {
  return rowCheck(type, [{ column: 0, header: '', field: field.name }])([text]).get(0)
}
