/** A unit in a column header, or in a column of units: `mg`, `mg/5 ml`. */
const UNIT = /^(?:%|[mµμnk]?g|mcg|ug|[mµμcd]?l|iu|i\.u\.|u|units?|m?mol|m?eq)(?:\s*\/\s*(?:\d+\s*)?[\p{L}µμ]{1,8})?$/iu

/** `Strength (mg)`, `Strength [mg/ml]`. */
const IN_BRACKETS = /^(.*?)\s*[([]\s*([^()[\]]+?)\s*[)\]]$/su

/** `Strength in mcg`, `strength_mg`, `Strength, mg`. */
const BEHIND = /^(.*?)(?:[\s_,:/-]+(?:in[\s_]+)?)([%\p{L}][^\s_,:()]*)$/su

/** Whether a text is a unit: `mg`. */
export const isUnit = (text: string): boolean => UNIT.test(text.trim())

/** A header without its unit, or without a part in brackets at its end; undefined if it has neither. */
export function headerParts(header: string): { base: string; unit: string | undefined } | undefined {
  const [, base = '', bracketed = ''] = IN_BRACKETS.exec(header.trim()) ?? []
  if (base !== '') return { base, unit: isUnit(bracketed) ? bracketed : undefined }
  const [, start = '', unit = ''] = BEHIND.exec(header.trim()) ?? []
  return start !== '' && isUnit(unit) ? { base: start, unit } : undefined
}

/** A number, or several related numbers: `5`, `1,250.5`, `5-10`, `250/125`. */
const NUMBER_PART = /^[\d.,\s]*\d[\d.,\s]*(?:[-–/+x×][\d.,\s]*\d[\d.,\s]*)*$/

/** Whether a text is a number without a unit. */
export const isBareNumber = (text: string): boolean => NUMBER_PART.test(text.trim())

/** Appends the unit to a value that is a number without one. */
export const withUnit = (text: string, unit: string): string =>
  unit !== '' && NUMBER_PART.test(text) ? `${text.trim()}${unit === '%' ? '' : ' '}${unit}` : text
