import { cellReader } from '#shared/records/csv/cell'

/** The words for yes and no in one language. */
interface WordPair {
  yes: readonly string[]
  no: readonly string[]
}

/** Words that the service does not know, in lower case. */
const PAIRS: readonly WordPair[] = [
  { yes: ['ja', 'j', 'wahr'], no: ['nein', 'falsch'] },
  { yes: ['oui', 'vrai'], no: ['non', 'faux'] },
  { yes: ['sí', 'si', 'verdadero'], no: ['no', 'falso'] },
  { yes: ['sì', 'si', 'vero'], no: ['no', 'falso'] },
  { yes: ['sim', 'verdadeiro'], no: ['não', 'nao', 'falso'] },
  { yes: ['ja', 'waar'], no: ['nee', 'onwaar'] },
  { yes: ['ja'], no: ['nej', 'nei'] },
  { yes: ['tak', 'prawda'], no: ['nie', 'fałsz'] },
  { yes: ['ano'], no: ['ne'] },
  { yes: ['igen'], no: ['nem'] },
  { yes: ['kyllä'], no: ['ei'] },
  { yes: ['da'], no: ['nu', 'ne'] },
  { yes: ['да', 'истина'], no: ['нет', 'ложь'] },
  { yes: ['так'], no: ['ні'] },
  { yes: ['evet', 'doğru'], no: ['hayır', 'yanlış'] },
  { yes: ['ya'], no: ['tidak'] },
  { yes: ['हाँ', 'हां'], no: ['नहीं'] },
  { yes: ['نعم'], no: ['لا'] },
  { yes: ['是'], no: ['否'] },
  { yes: ['はい'], no: ['いいえ'] },
  { yes: ['✓', '✔', '✔️', '☑', '☑️', '✅', '√'], no: ['✗', '✘', '✕', '✖', '✖️', '❌', '☒', '☐'] },
]

const wordOf = (text: string): string => text.trim().toLowerCase()

const readBoolean = cellReader({ kind: 'boolean', name: '', slot: null, description: '' })

/** The meaning of a text in any of the languages; undefined if it does not mean yes or no, or means both. */
export function booleanOf(text: string): boolean | undefined {
  const value = readBoolean(text)
  if (typeof value === 'boolean') return value
  const isYes = PAIRS.some(({ yes }) => yes.includes(wordOf(text)))
  const isNo = PAIRS.some(({ no }) => no.includes(wordOf(text)))
  return isYes === isNo ? undefined : isYes
}

/** The opposite of a text. A text that is neither becomes an error that shows the intended reversal. */
export function oppositeOf(text: string): string {
  if (text.trim() === '') return ''
  const value = booleanOf(text)
  return value === undefined ? `not “${text.trim()}”` : value ? 'no' : 'yes'
}
