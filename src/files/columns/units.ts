/** A unit as it stands in the header of a column: `Strength (mg)`, `Strength [mg/ml]`. */
const UNIT =
  /^(?:%|[mµμnk]?g|mcg|ug|[mµμcd]?l|iu|i\.u\.|u|units?|m?mol|m?eq)(?:\s*\/\s*(?:\d+\s*)?[\p{L}µμ]{1,8})?$/iu

const IN_BRACKETS = /^(.*?)\s*[([]\s*([^()[\]]+?)\s*[)\]]$/su

/** The header without what stands in brackets behind it, and that if it is a unit; undefined without brackets. */
export function headerParts(header: string): { base: string; unit: string | undefined } | undefined {
  const [, base = '', bracketed = ''] = IN_BRACKETS.exec(header.trim()) ?? []
  if (base === '') return undefined
  return { base, unit: UNIT.test(bracketed) ? bracketed : undefined }
}

/** A number, or several that belong together: `5`, `1,250.5`, `5-10`, `250/125`. */
const NUMBER_PART = /^[\d.,\s]*\d[\d.,\s]*(?:[-–/+x×][\d.,\s]*\d[\d.,\s]*)*$/

/** A value with the unit behind it, if it is a number without one. */
export const withUnit = (text: string, unit: string): string =>
  NUMBER_PART.test(text) ? `${text.trim()}${unit === '%' ? '' : ' '}${unit}` : text
