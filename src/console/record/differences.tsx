import { Stack, Text } from '@mantine/core'
import { countText, fieldLabel, namedUnseen, valueText } from '../wording'

/** Old and new value of each field that differs. */
export type FieldDifferences = Readonly<Record<string, readonly [unknown, unknown]>>

/** Without a display name that repeats the name before and after: it says nothing new. */
export function withoutRepeatedNames({ display_name: repeated, ...fields }: FieldDifferences): FieldDifferences {
  const { name } = fields
  if (repeated === undefined) return fields
  const isSame = name !== undefined && repeated[0] === name[0] && repeated[1] === name[1]
  return isSame ? fields : { ...fields, display_name: repeated }
}

export const showsNothing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** White space and what cannot be seen. */
const UNSEEN = /[\p{C}\p{Z}]/gu

/** A value beside another one: if the two look the same, with names for what cannot be seen. */
export function seenText(value: unknown, other: unknown): string {
  const text = valueText(value)
  if (text.replace(UNSEEN, '') !== valueText(other).replace(UNSEEN, '')) return text
  return namedUnseen(text)
}

interface DifferencesProps {
  fields: FieldDifferences
  /** How many fields are shown; all of them if it is left out. */
  most?: number
}

/** Old and new value of each field that changes; a value that is new stands alone. */
export function Differences({ fields, most }: DifferencesProps) {
  const entries = Object.entries(withoutRepeatedNames(fields))
  const shownEntries = entries.slice(0, most)
  const further = entries.length - shownEntries.length
  return (
    <Stack gap={2}>
      {shownEntries.map(([name, [before, after]]) => (
        <Text size="sm" key={name} className="breakable difference">
          <Text span c="dimmed">
            {fieldLabel(name)}:{' '}
          </Text>
          {!showsNothing(before) && (
            <>
              <del>{seenText(before, after)}</del>
              <span aria-hidden> → </span>
            </>
          )}
          <ins>{seenText(after, before)}</ins>
        </Text>
      ))}
      {further > 0 && <Text size="sm">and {countText(further, 'more field', 'more fields')}</Text>}
    </Stack>
  )
}
