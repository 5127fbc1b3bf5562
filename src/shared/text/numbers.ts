import { SPACED } from '#shared/text/scripts'
import { unitNamed } from '#shared/text/units'

/**
 * Numbers in one canonical form: `1200000` for `1 200 000`, `1.2 million` and `1.200.000`. An ambiguous number keeps a
 * form that is not read as a number: `1.000` may be one or a thousand, and `0..25` is written for digits with an
 * unknown sign between them.
 */

/** Between the digits of an unreadable number. */
const UNREADABLE = '..'

/** A number in canonical form: no leading zeros, and no trailing zeros of a fraction. */
export const isReadable = (number: string): boolean => /^(?:0|[1-9]\d{0,14})(?:\.\d*[1-9])?$/.test(number)

/** Digits that a number has without the noise of floating point. */
const EXACT_DIGITS = 12

/** A number without the noise of floating point. */
export function plainNumber(value: number): string {
  const text = String(value)
  return text.length <= EXACT_DIGITS ? text : String(Number(value.toPrecision(EXACT_DIGITS)))
}

// Steps before a text is decomposed.

const RAISED = '\u2070\u00b9\u00b2\u00b3\u2074-\u2079'
const RAISED_EXPONENT = new RegExp(`(?<=\\p{Nd})(?=[\u207a\u207b]?[${RAISED}])`, 'gu')
const MIXED_FRACTION = /(?<=\p{Nd})(?=[¼-¾⅐-⅞])/gu

/** Quick filter: most texts have none of these, and a lookbehind at each character takes longer. */
const HOLDS_RAISED_OR_FRACTION = new RegExp(`[${RAISED}¼-¾⅐-⅞]`)

/** Separates what decomposition would join into one number: `10^⁸` and `1 ½`. */
export const splitNumbers = (text: string): string =>
  HOLDS_RAISED_OR_FRACTION.test(text) ? text.replace(RAISED_EXPONENT, '^').replace(MIXED_FRACTION, ' ') : text

// Steps after decomposition, in lower case.

/** Decimal points at any height, Arabic and ideographic ones. In a folded text, `·` always is one. */
const DECIMAL_SIGN = /(?<=\d)[\u00b7\u2022\u2027\u2219\u22c5\u2e31\u2e33\u30fb\u066b\u06d4\u3002](?=\d)/gu
const COMMA = /(?<=\d)[\u060c\u201a\u3001](?=\d)/gu
const THOUSANDS_SIGN = /(?<=\d)\u066c(?=\d{3}(?!\d))/g

/** Signs between two numbers. */
const SEPARATORS = '\u00d7\u00f7\u00b1\u2044\u2212\u2192\u223c\u2260\u2264\u2265\u2020\u2021\u00a7\u00b6\u2026\u2215'
const UNKNOWN_SIGN = new RegExp(
  `(?<=\\d)[[\\p{Po}\\p{Sk}\\p{Lm}\\p{Sm}\\p{So}]--[\\u0000-\\u007f${SEPARATORS}\u00b7]](?=\\d)`,
  'gv',
)

/** A sign between two digits (one or two UTF-16 units), `×` or a minus sign. */
const HOLDS_NUMBER_SIGN = /\d[\u0080-\uffff]{1,2}\d|[\u00d7\u2212]/

/** Rewrites signs outside ASCII in the form that `plainNumbers` reads. */
export function foldNumberSigns(text: string): string {
  if (!HOLDS_NUMBER_SIGN.test(text)) return text
  return text
    .replace(THOUSANDS_SIGN, '')
    .replace(DECIMAL_SIGN, '·')
    .replace(COMMA, ',')
    .replace(UNKNOWN_SIGN, UNREADABLE)
    .replace(/\u00d7/g, 'x')
    .replace(/\u2212(?=\d)/g, '-')
}

// Steps in a folded text.

/** Quick filter: most texts only have numbers like `500` and `0.5`, and need none of the steps below. */
const IS_UNUSUAL = /\d(?:[x^⁄?*]| [x\d]|\. \d| ?\p{L}\.|[ -]?(?:m(?:i[oul]|u|eg|ln)|thou|la[ck]|cror|млн))/u
const HAS_SIGN = /[.,·]\d/

/** A power of ten: `2x10^8`, `10*6`. */
const POWER = /(?:(?<![\d.,·])(\d+(?:[.,·]\d+)?) ?[x*·] ?)?(?<!\d)10(?:\^|\*\*?)(-?\d{1,2})(?!\d)/g
const OTHER_POWER = /(?<=\d)(?:\^-?|\?)(?=\d)/g
const FRACTION = /(?<![\d.,/·])(?:(\d+) )?(?:(\d+)⁄(\d+)|(?<=\d )(?!3\/2)([13])\/([24]))(?![\d/.,·])/g
const LOST_FRACTION = new RegExp(String.raw`(?<![${SPACED}\d.,·])0\. (?=\d)`, 'gv')
const TIMES = /(?<=\d) ?x ?(?=\d)/g

const MULTIPLIERS: Readonly<Record<string, number>> = { th: 1e3, la: 1e5, cr: 1e7 }
const MULTIPLIER = 'thousand|la(?:kh|c)s?|crores?|mill|mill?i?on(?:s|es|en|i)?|milhoes|mega|mio|mln|млн'
const IN_MILLIONS = 'i?u|ui|ie'
const IS_MULTIPLIER = new RegExp(`^(?:${MULTIPLIER}|m(?:${IN_MILLIONS}))$`)
const MULTIPLIED = new RegExp(
  String.raw`(?<![\p{L}\d.])(\d+(?:\.\d+)?)[ \-]?` +
    String.raw`(?:(${MULTIPLIER})(?![\p{L}\d])\.?|m(?=(?:${IN_MILLIONS})(?![\p{L}\d])))`,
  'gv',
)

/** An abbreviation with periods after a number: `I.E.`. */
const POINTED = new RegExp(String.raw`(?<=\d ?(?:(?:${MULTIPLIER})\.? )?)\p{L}(?:\. ?\p{L})+\.?(?![\p{L}\d])`, 'gv')

const SPACED_GROUPS = new RegExp(String.raw`(?<![${SPACED}\d.,·])[1-9]\d{0,2}(?: \d{3})+(?!\d|[.,·]\d{3}(?!\d))`, 'gv')
/** May be two numbers: thousands are rarely this precise. */
const DOUBTFUL_GROUPS = /^\d\d+ \d(?!00)\d\d$|^\d\d+ [1-46-9]00$/
const ENDS_WITH_PART = /\d[/-]$/
const NEXT_WORD = /^(?:[.,·]\d+)?[ (-]{0,2}(\p{L}+|[%‰])/u

const SIGNED = new RegExp(String.raw`(?:(?<![\p{L}\p{M}\d.,·\)\]%])[.,·])?(?<![${SPACED}\d])\d+(?:[.,·]\d+)*`, 'gv')

const WHOLE = String.raw`[1-9]\d{0,2}`
/** Groups of three digits, or of two before the last three as in India. A fraction may follow. */
const COMMA_GROUPS = new RegExp(`^(?:${WHOLE}(?:,\\d{3})+|[1-9]\\d?(?:,\\d{2})+,\\d{3})(?:[.·]\\d+)?$`)
const POINT_GROUPS = new RegExp(`^${WHOLE}(?:(?:\\.\\d{3}){2,}(?:[,·]\\d+)?|\\.\\d{3}[,·]\\d+)$`)
/** May be one or a thousand. */
const TWO_READINGS = new RegExp(`^${WHOLE}\\.\\d{2}0$`)
const LISTED = /^(?:0|[1-9]\d*)(?:\.\d+)?$/

/** A number with points or commas, or several numbers of a list. */
function plainSigned(text: string): string {
  if (TWO_READINGS.test(text)) return text
  if (COMMA_GROUPS.test(text)) return plainSigned(text.replaceAll(',', '').replace('.', '·'))
  if (POINT_GROUPS.test(text)) return plainSigned(text.replaceAll('.', '').replace(',', '·'))
  const [whole = '', fraction, ...others] = text.split(/[.,·]/)
  if (others.length === 0) {
    const digits = fraction?.replace(/0+$/, '') ?? ''
    return (whole || '0') + (digits && `.${digits}`)
  }
  const items = text.split(text.includes(',') ? ',' : '.')
  return items.every((item) => LISTED.test(item) && (item !== '0' || items[0] !== '0'))
    ? items.map(plainSigned).join(' ')
    : text.replace(/[.,·]/g, UNREADABLE)
}

function plainPower(text: string, mantissa: string | undefined, exponent: string): string {
  const number = plainSigned(mantissa ?? '1')
  const value = plainNumber(Number(`${number}e${exponent}`))
  return isReadable(number) && isReadable(value) ? value : text.replace(/\D+/g, UNREADABLE)
}

function plainFraction(text: string, whole: string | undefined, ...parts: (string | undefined)[]): string {
  const [above, below] = parts.slice(0, 4).filter((part) => part !== undefined)
  const value = String(Number(whole ?? 0) + Number(above) / Number(below))
  return value.length <= EXACT_DIGITS && isReadable(value) ? value : text.replace(/\D+/g, UNREADABLE)
}

/** Numbers after `70/30 ` are separate. In `Mixtard 30 100 IU`, two numbers could be one. */
function joinGroups(text: string, offset: number, all: string): string {
  if (text.includes(' 0')) return text.replaceAll(' ', '')
  const [, next = ''] = NEXT_WORD.exec(all.slice(offset + text.length)) ?? []
  if (!(unitNamed(next) || IS_MULTIPLIER.test(next)) || ENDS_WITH_PART.test(all.slice(0, offset))) return text
  return text.replaceAll(' ', DOUBTFUL_GROUPS.test(text) ? UNREADABLE : '')
}

function multiply(text: string, number: string, word: string | undefined): string {
  const value = plainNumber(Number(number) * (MULTIPLIERS[word?.slice(0, 2) ?? ''] ?? 1e6))
  return isReadable(number) && isReadable(value) ? `${value} ` : text
}

/** A folded text with its numbers in canonical form. */
export function plainNumbers(text: string): string {
  if (!IS_UNUSUAL.test(text)) return HAS_SIGN.test(text) ? text.replace(SIGNED, plainSigned) : text
  return text
    .replace(POWER, plainPower)
    .replace(FRACTION, plainFraction)
    .replace(OTHER_POWER, UNREADABLE)
    .replace(LOST_FRACTION, `0${UNREADABLE}`)
    .replace(TIMES, ' x ')
    .replace(POINTED, (letters) => letters.replace(/[. ]/g, ''))
    .replace(SPACED_GROUPS, joinGroups)
    .replace(SIGNED, plainSigned)
    .replace(MULTIPLIED, multiply)
}
