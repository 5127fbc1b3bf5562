import type { EnumField, StringField } from '#records/record-type'
import { valueLabel } from '../wording'

/** The value of a text or of a field with fixed values; nothing where there is none. */
export const shortText = (field: StringField | EnumField, value: unknown): string =>
  typeof value !== 'string' ? '' : field.kind === 'enum' ? valueLabel(field, value) : value
