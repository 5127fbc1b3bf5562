import { Stack, Text } from '@mantine/core'
import { countText, fieldLabel, nameAmbiguous, valueText } from '../wording'
import { Items } from './items'

/** Old and new value of each changed field. */
export type FieldDifferences = Readonly<Record<string, readonly [unknown, unknown]>>

/** Omits a change of the display name that only repeats the change of the name. */
export function withoutRepeatedNames({ display_name: repeated, ...fields }: FieldDifferences): FieldDifferences {
  const { name } = fields
  if (repeated === undefined) return fields
  const isSame = name !== undefined && repeated[0] === name[0] && repeated[1] === name[1]
  return isSame ? fields : { ...fields, display_name: repeated }
}

export const showsNothing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

const INVISIBLE = /[\p{C}\p{Z}]/gu

interface DistinctValueProps {
  value: unknown
  other: unknown
}

/** A value next to another value. If they look the same, names the invisible characters. */
export function DistinctValue({ value, other }: DistinctValueProps) {
  const looksSame = valueText(value).replace(INVISIBLE, '') === valueText(other).replace(INVISIBLE, '')
  const shown = (text: string) => (looksSame ? nameAmbiguous(text) : text)
  if (Array.isArray(value)) return <Items items={value.map(valueText).map(shown)} />
  return <span translate="no">{shown(valueText(value))}</span>
}

interface DifferencesProps {
  fields: FieldDifferences
  /** Number of fields to show; all if omitted. */
  most?: number
}

/** Old and new value of each changed field. A new value is shown alone. */
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
              <del>
                <DistinctValue value={before} other={after} />
              </del>
              <span aria-hidden> → </span>
            </>
          )}
          <ins>
            <DistinctValue value={after} other={before} />
          </ins>
        </Text>
      ))}
      {further > 0 && <Text size="sm">and {countText(further, 'more field', 'more fields')}</Text>}
    </Stack>
  )
}
