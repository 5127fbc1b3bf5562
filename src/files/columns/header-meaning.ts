import type { RecordType, RecordTypeName } from '#shared/records/record-type'
import { plainWord, type Topic, topicOf } from './header-words'

/** Stands for the ID field of the type. */
export const ID = 'id'

interface Rule {
  /** The first of these fields that a type has. */
  fields: readonly string[]
  /** The header is about all topics of one of these groups … */
  needs: readonly (readonly Topic[])[]
  /** … and about nothing else but these. */
  takes?: readonly Topic[]
  /** Whether another header says it better: a description is a name only if nothing else is. */
  isWeak?: true
}

/** What the topics of a header mean; the first rule that fits counts. */
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

/** A header may be about one thing in two ways: parts after these are compared with the first one. */
const BRACKETS = /[([]([^)\]]*)[)\]]?/g
const CAMEL_CASE = /(?<=\p{Ll})(?=\p{Lu})/gu
const BETWEEN_PARTS = /[/,;+&|]/

/** The first of several columns for one thing: `DCI1`, `EAN 1`. */
const FIRST = /^(\p{L}{2,})0?1$|^0?1$/u

/** A letter may stand in a word by chance. */
const SHORTEST_PART = 2

/** The topics of a word that is made of several: `dosageformname`; undefined if a part of it is unknown. */
function topicsWithin(word: string, type: RecordTypeName): Topic[] | undefined {
  /** The topics of the beginnings of the word, by their lengths. */
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

/** The topics of the parts of a header, `and` between them; undefined for a part with an unknown word. */
function partsOf(text: string, type: RecordTypeName): (ReadonlySet<Topic> | undefined)[] {
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

/** The field that the topics of a part mean; undefined if they mean none. */
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
 * The name of the field that a header means by its words: every word of it is known, and they are about one thing.
 *
 * @param isWeak whether a header counts too that hardly says what it is
 */
export function meaningByWords(header: string, type: RecordType, isWeak: boolean): string | undefined {
  const bracketed = [...header.matchAll(BRACKETS)].flatMap(([, text = '']) => partsOf(text, type.name))
  const [first, ...others] = partsOf(header.replace(BRACKETS, ' '), type.name)
  if (first === undefined) return undefined
  const meant = fieldOf(first, type, isWeak)
  const fieldsOf = (parts: typeof others) => parts.map((part) => part && fieldOf(part, type, true))
  const further = others.filter((part) => part === undefined || !isPack(part))
  const furtherFields = fieldsOf(further)
  // What is unknown may be another thing, unless the header has said it twice.
  const isOne = furtherFields.includes(meant) || furtherFields.length === 0
  const isAnother = [...furtherFields, ...fieldsOf(bracketed)].some((field) => field !== undefined && field !== meant)
  return isOne && !isAnother ? meant : undefined
}

/** What a header may be about besides a status: `Estado da AIM`, `AuthorizationStatus`. */
const OF_STATUS: readonly Topic[] = ['status', 'registration', 'object']

/** Whether a header is about the status of something that the rows are, or of its registration. */
export function isAboutStatus(header: string, { name }: RecordType): boolean {
  const [topics, ...others] = partsOf(header, name)
  return others.length === 0 && topics?.has('status') === true && [...topics].every((one) => OF_STATUS.includes(one))
}
