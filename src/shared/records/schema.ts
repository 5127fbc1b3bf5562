import * as z from 'zod'
import { isDeeperThan, isLargerThan } from '#shared/json/exact-numbers'
import { MAX_EXAMPLES, MAX_JSON_DEPTH, MAX_LIST_ITEMS, MAX_RECORD_CHARACTERS } from '#shared/limits'
import { isBlank } from '#shared/text/characters'
import { keysOf } from '#shared/text/keys-of'
import { type EnumField, type Field, RECORD_TYPES, type RecordType, type RecordTypeName } from './record-type'
import { recordTypes } from './record-types'
import { WARNING_CODES } from './warning-codes'

/**
 * The record types as zod schemas, for the API description and to test every response. `rules.ts` checks requests in a
 * tenth of the time. A property test checks that both agree.
 */

const codePoints = (text: string): number => [...text].length

/** Blank text of any length is an absent value. */
const textSchema = (maxLength: number) =>
  z
    .string()
    .refine(
      (value) => isBlank(value) || (codePoints(value) <= maxLength && !value.includes('\0') && value.isWellFormed()),
    )
    .meta({ maxLength })

function valueSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case 'string':
      return textSchema(field.maxLength)
    case 'enum':
      return z.enum(field.values)
    case 'list':
      return z.array(textSchema(field.maxLength)).max(MAX_LIST_ITEMS)
    case 'boolean':
      return z.boolean()
    case 'any':
      return z
        .unknown()
        .refine((value) => !isDeeperThan(MAX_JSON_DEPTH, value) && !isLargerThan(MAX_RECORD_CHARACTERS, value))
  }
}

const notBlank = (schema: z.ZodType): z.ZodType =>
  schema.refine((value) => typeof value !== 'string' || !isBlank(value))

/** One of the values, or blank text, which is an absent value. */
const optionalEnum = ({ values }: EnumField) =>
  z
    .string()
    .refine((value) => values.includes(value) || isBlank(value))
    .meta({ enum: [...values, ''] })

function optionalSchema(field: Field): z.ZodType {
  if (field.kind === 'enum') return optionalEnum(field).nullish()
  // Null is a value of this field.
  if (field.kind === 'any') return valueSchema(field).optional()
  return valueSchema(field).nullish()
}

/** A field in a request: required, or optional and nullable. */
const inputField = (field: Field, isRequired = field.required ?? false): z.ZodType =>
  (isRequired ? notBlank(valueSchema(field)) : optionalSchema(field)).meta({ description: field.description })

/** A field in a response. Absent values are null or an empty list. */
function outputField(field: Field): z.ZodType {
  const schema = valueSchema(field)
  const always =
    field.required ||
    field.kind === 'list' ||
    field.kind === 'any' ||
    field.name === 'display_name' ||
    field.name === 'is_active'
  return (always ? schema : schema.nullable()).meta({ description: field.description })
}

const pascalCase = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Fields that another field makes required, in JSON Schema. */
const conditionsOf = (type: RecordType): Record<string, unknown> => {
  const required = type.conditions.filter(({ rule }) => rule === 'required')
  if (required.length === 0) return {}
  return {
    allOf: required.map(({ field, when }) => ({
      if: { properties: { [when.field]: { const: when.equals } }, required: [when.field] },
      // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema.
      then: { properties: { [field]: {} }, required: [field] },
    })),
  }
}

/** A record in a request. @param isRequired by default as its type says */
const inputSchema = ({ fields }: RecordType, isRequired?: (field: Field) => boolean) =>
  z.looseObject(Object.fromEntries(fields.map((field) => [field.name, inputField(field, isRequired?.(field))])))

const buildInputSchema = (type: RecordType): z.ZodType =>
  inputSchema(type).meta({
    id: `${pascalCase(type.name)}Record`,
    description: `A ${type.title} in a request.`,
    ...conditionsOf(type),
  })

const buildPartialSchema = (type: RecordType): z.ZodType =>
  inputSchema(type, ({ name }) => name === type.idField).meta({
    id: `Partial${pascalCase(type.name)}Record`,
    description: `With \`keep_missing=true\`: the ID of a ${type.title}, and the fields that change.`,
  })

function buildOutputSchema(type: RecordType): z.ZodType {
  const shape: Record<string, z.ZodType> = {}
  for (const field of type.returnedFields) {
    shape[field.name] =
      field.kind === 'derived' ? z.string().nullable().meta({ description: field.description }) : outputField(field)
  }
  shape.added_names = z.array(z.string()).meta({
    description: 'Names that users have added to the record, in normalized form. Ignored in a write.',
    example: ['htn'],
  })
  shape.updated_at = z.iso
    .datetime({ precision: 3 })
    .meta({ description: 'Time of the last write that changed the record.' })
  return z.strictObject(shape).meta({ id: pascalCase(type.name), description: `A ${type.title} in a response.` })
}

const each = <T extends z.ZodType>(build: (type: RecordType) => T) =>
  Object.fromEntries(RECORD_TYPES.map((name) => [name, build(recordTypes[name])])) as Record<RecordTypeName, T>

export const inputSchemas = each(buildInputSchema)
export const outputSchemas = each(buildOutputSchema)

/** Which fields a request may omit depends on a parameter, which a schema cannot express. */
export const anyInputSchema = z.union([...Object.values(inputSchemas), ...Object.values(each(buildPartialSchema))])
export const anyOutputSchema = z.union(Object.values(outputSchemas))

const countSchema = z.int().nonnegative()

export const warningSchema = z
  .strictObject({
    field: z.string(),
    msg: z.string(),
    values: z
      .array(z.strictObject({ value: z.string(), count: countSchema }))
      .optional()
      .meta({ description: 'The values that the warning is about, the twenty most frequent.' }),
    code: z
      .enum(keysOf(WARNING_CODES))
      .optional()
      .meta({
        description: `${Object.entries(WARNING_CODES)
          .map(([code, meaning]) => `\`${code}\`: ${meaning}.`)
          .join(' ')} Other warnings have no code.`,
      }),
    count: countSchema
      .optional()
      .meta({ description: 'Number of values that the warning is about, if it has a code.' }),
    examples: z
      .array(
        z.strictObject({
          index: countSchema.meta({ description: 'Of the record, as in a field error.' }),
          value: z.string(),
          similar_to: z.string().optional().meta({ description: 'The ID that it resembles.' }),
          other: z.string().optional().meta({ description: 'The name that the strength contradicts.' }),
          was: z.string().optional().meta({ description: 'The stored name.' }),
        }),
      )
      .max(MAX_EXAMPLES)
      .optional()
      .meta({ description: 'The first of these values.' }),
  })
  .meta({
    id: 'Warning',
    description:
      'Something that was accepted but may not be intended: a field or column that was ignored or has no effect, ' +
      'or values that are probably damaged.',
  })
