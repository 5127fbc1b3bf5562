import { HeaderNames, normalizedHeader } from '#records/csv/header'
import type { RecordType } from '#records/record-type'
import { recordTypes } from '#records/record-types'

/** Fields that say nothing about the type of a file. */
const SHARED: readonly string[] = ['display_name', 'aliases', 'is_active', 'refid']

/** What a header counts that only one type has, such as `symptom_id` or `test_name`, against a field that others have too. */
const OWN_NAME = 3

function pointsOf(header: string, type: RecordType, names: HeaderNames): number {
  const field = names.fieldOf(header)
  if (field === undefined || SHARED.includes(field.name)) return 0
  const written = normalizedHeader(header)
  if (field.name === type.idField) return written === type.idField ? OWN_NAME : 0
  if (field.name === 'name') return written === 'name' ? 0 : OWN_NAME
  return 1
}

/** How well a header row fits a type: 0 where nothing in it is of this type in particular. */
export function fitOf(header: readonly string[], type: RecordType): number {
  const names = new HeaderNames(type)
  return header.reduce((points, cell) => points + pointsOf(cell, type, names), 0)
}

/** By how much another type has to fit better before a person is asked. */
const MARGIN = 2

/** The type that a header row fits better than the one that was chosen; undefined where that fits well enough. */
export function betterType(header: readonly string[], chosen: RecordType): RecordType | undefined {
  const fits = Object.values(recordTypes).map((type) => ({ type, fit: fitOf(header, type) }))
  const own = fits.find(({ type }) => type.name === chosen.name)!.fit
  const best = fits.reduce((one, other) => (other.fit > one.fit ? other : one))
  return best.fit >= own + MARGIN ? best.type : undefined
}
