import type { Change } from '#shared/records/change'
import type { WriteChange } from '../service/answers'
import { fieldWord, valueText } from '../wording'

/** Fields of one record that a sentence names. */
const NAMED_FIELDS = 3

/** Characters of a value that a sentence shows. */
const SHOWN_CHARACTERS = 60

interface FieldWords {
  /** Within the sentence: `strength`. */
  field: string
  before: string
  after: string
}

/** What became of a record, for one line. */
interface ChangeWords {
  /** Besides the values: `new`, `deactivated`; undefined if the values say it. */
  became: string | undefined
  fields: FieldWords[]
  /** Fields that changed and are not named. */
  more: number
}

const BECAME: Readonly<Record<Change, string | undefined>> = {
  inserted: 'new',
  updated: undefined,
  reactivated: 'reactivated',
  deactivated: 'deactivated',
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length <= SHOWN_CHARACTERS ? text : `${characters.slice(0, SHOWN_CHARACTERS).join('')}…`
}

/** `strength 25MG → 50MG`, as its parts. All fields of a new record are new: they are not named. */
export function changeWords({ change, fields = {} }: WriteChange): ChangeWords {
  const entries = change === 'inserted' ? [] : Object.entries(fields)
  return {
    became: BECAME[change],
    fields: entries.slice(0, NAMED_FIELDS).map(([name, [before, after]]) => ({
      field: fieldWord(name),
      before: cut(valueText(before)),
      after: cut(valueText(after)),
    })),
    more: Math.max(0, entries.length - NAMED_FIELDS),
  }
}
