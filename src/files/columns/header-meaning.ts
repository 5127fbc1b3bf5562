import type { RecordType, RecordTypeName } from '#shared/records/record-type'
import { plainWord, type Topic, topicOf } from './header-words'

/** Placeholder for the ID field of the type. */
export const ID = 'id'

interface Rule {
  /** The type's field is the first of these that it has. */
  fields: readonly string[]
  /** The header has all topics of one of these groups … */
  needs: readonly (readonly Topic[])[]
  /** … and no other topics except these. */
  takes?: readonly Topic[]
  /** Whether other headers are clearer: a description is only a name if there is nothing better. */
  isWeak?: true
}

/** Maps the topics of a header to fields. The first matching rule applies. */
const RULES: readonly Rule[] = [
  { fields: ['generic_id'], needs: [['generic', 'code']], takes: ['active', 'object'] },
  { fields: ['generic_name'], needs: [['generic']], takes: ['active', 'name', 'common', 'object'] },
  { fields: ['generic_name'], needs: [['name', 'common']], takes: ['object'] },
  { fields: ['generic_list'], needs: [['salts']], takes: ['short', 'object'] },
  { fields: ['aliases'], needs: [['other']], takes: ['name', 'brand', 'object'] },
  {
    fields: ['display_name'],
    needs: [
      ['short', 'name'],
      ['short', 'description'],
    ],
    takes: ['object'],
  },
  {
    fields: ['icd10_term'],
    needs: [
      ['icd', 'name'],
      ['icd', 'description'],
    ],
    takes: ['object'],
  },
  { fields: ['icd10'], needs: [['icd']], takes: ['code'] },
  { fields: ['loinc'], needs: [['loinc']], takes: ['code', 'number'] },
  { fields: ['gender'], needs: [['gender']] },
  {
    fields: ['therapy_class'],
    needs: [
      ['atc', 'name'],
      ['atc', 'description'],
    ],
    takes: ['class'],
  },
  { fields: ['therapy_class_id'], needs: [['atc'], ['therapeutic', 'class', 'code']], takes: ['code', 'class'] },
  { fields: ['therapy_class'], needs: [['therapeutic', 'class']], takes: ['name'] },
  { fields: ['sku'], needs: [['barcode']], takes: ['code', 'number', 'object'] },
  { fields: ['form_name'], needs: [['form']], takes: ['dose', 'pharmaceutical', 'object', 'name', 'type'] },
  { fields: ['strength'], needs: [['strength'], ['dose']], takes: ['strength', 'dose', 'object'] },
  { fields: ['manufacturer'], needs: [['maker']], takes: ['name', 'registration', 'object'] },
  { fields: ['manufacturer'], needs: [['holder']], takes: ['name', 'maker', 'registration', 'object'], isWeak: true },
  { fields: ['schedule_code'], needs: [['schedule']], takes: ['code', 'object'] },
  { fields: ['specimen'], needs: [['specimen']], takes: ['type', 'object'] },
  { fields: ['unit'], needs: [['unit']], takes: ['measure', 'result', 'object'] },
  { fields: ['method'], needs: [['method']], takes: ['object'] },
  { fields: ['result_type'], needs: [['result', 'type']], takes: ['object'] },
  {
    fields: ['name'],
    needs: [['name'], ['brand'], ['description', 'object'], ['object']],
    takes: ['brand', 'long', 'common', 'pharmaceutical', 'object'],
  },
  { fields: ['name'], needs: [['description']], takes: ['long'], isWeak: true },
  { fields: [ID], needs: [['code'], ['number', 'object'], ['number', 'brand']], takes: ['number', 'object', 'brand'] },
]

/** A header may name one thing twice. Parts in brackets are compared with the first part. */
const BRACKETS = /[([]([^)\]]*)[)\]]?/g
const CAMEL_CASE = /(?<=\p{Ll})(?=\p{Lu})/gu
const BETWEEN_PARTS = /[/,;+&|]/

/** The first of several columns for the same thing: `DCI1`, `EAN 1`. */
const FIRST = /^(\p{L}{2,})0?1$|^0?1$/u

/** A single letter may occur in a word by chance. */
const SHORTEST_PART = 2

/** Most characters of a header, and of a compound word. A longer text is a value. */
const LONGEST_HEADER = 200
const LONGEST_WORD = 60

/** The topics of a compound word: `dosageformname`; undefined if a part of it is unknown. */
function topicsWithin(word: string, type: RecordTypeName): Topic[] | undefined {
  if (word.length > LONGEST_WORD) return undefined
  /** The topics of the word's beginnings, by length. */
  const found: (Topic[] | undefined)[] = [[]]
  for (let end = SHORTEST_PART; end <= word.length; end++)
    for (let start = 0; start <= end - SHORTEST_PART && found[end] === undefined; start++) {
      const topic = topicOf(word.slice(start, end), type)
      const before = found[start]
      if (topic !== undefined && topic !== 'and' && before !== undefined) found[end] = [...before, topic]
    }
  return found[word.length]
}

function topicsOfWord(written: string, type: RecordTypeName): readonly Topic[] | undefined {
  const known = topicOf(written, type)
  if (known !== undefined) return [known]
  const first = FIRST.exec(written)
  if (first === null) return topicsWithin(written, type)
  return first[1] === undefined ? [] : topicsOfWord(first[1], type)
}

/** The topics of the parts of a header, split at `and`; undefined for a part with an unknown word. */
function partsOf(text: string, type: RecordTypeName): (ReadonlySet<Topic> | undefined)[] {
  if (text.length > LONGEST_HEADER) return [undefined]
  return text.split(BETWEEN_PARTS).flatMap((piece) => {
    const parts: (Set<Topic> | undefined)[] = [new Set()]
    for (const word of plainWord(piece.replace(CAMEL_CASE, ' ')).split(/[^\p{L}\p{N}]+/u)) {
      if (word === '') continue
      const topics = topicsOfWord(word, type)
      if (topics?.includes('and')) parts.push(new Set())
      else if (topics === undefined) parts[parts.length - 1] = undefined
      else for (const topic of topics) if (topic !== 'filler') parts.at(-1)?.add(topic)
    }
    return parts.filter((part) => part === undefined || part.size > 0)
  })
}

/** The field for the topics of a part; undefined if no rule matches. */
function fieldOf(
  topics: ReadonlySet<Topic>,
  { fields: all, idField }: RecordType,
  isWeak: boolean,
): string | undefined {
  const hasField = (name: string) => name === ID || all.some((field) => field.name === name)
  const fits = ({ needs, takes = [], fields }: Rule) =>
    fields.some(hasField) &&
    needs.some((group) => {
      const rest = [...topics].filter((topic) => !group.includes(topic))
      return group.every((topic) => topics.has(topic)) && rest.every((topic) => takes.includes(topic))
    })
  const rule = RULES.find(fits)
  if (rule?.isWeak && !isWeak) return undefined
  const field = rule?.fields.find(hasField)
  return field === ID ? idField : field
}

const isPack = (topics: ReadonlySet<Topic>): boolean => topics.size === 1 && topics.has('pack')

/**
 * The name of the field that a header's words mean. All words must be known and mean the same thing.
 *
 * @param isWeak whether to accept vague headers, too
 */
export function meaningByWords(header: string, type: RecordType, isWeak: boolean): string | undefined {
  const bracketed = [...header.matchAll(BRACKETS)].flatMap(([, text = '']) => partsOf(text, type.name))
  const [first, ...others] = partsOf(header.replace(BRACKETS, ' '), type.name)
  if (first === undefined) return undefined
  const meant = fieldOf(first, type, isWeak)
  const fieldsOf = (parts: typeof others) => parts.map((part) => part && fieldOf(part, type, true))
  const further = others.filter((part) => part === undefined || !isPack(part))
  const furtherFields = fieldsOf(further)
  // An unknown part may mean something else, unless another part repeats the meaning.
  const isOne = furtherFields.includes(meant) || furtherFields.length === 0
  const isAnother = [...furtherFields, ...fieldsOf(bracketed)].some((field) => field !== undefined && field !== meant)
  return isOne && !isAnother ? meant : undefined
}

/** Topics that a header about a status may also have: `Estado da AIM`, `AuthorizationStatus`. */
const OF_STATUS: readonly Topic[] = ['status', 'registration', 'object']

/** Whether a header is about the status of the records, or of their registration. */
export function isAboutStatus(header: string, { name }: RecordType): boolean {
  const [topics, ...others] = partsOf(header, name)
  return others.length === 0 && topics?.has('status') === true && [...topics].every((one) => OF_STATUS.includes(one))
}
