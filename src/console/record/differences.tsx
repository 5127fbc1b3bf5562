import { Stack, Text } from '@mantine/core'
import { fieldLabel, namedUnseen, valueText } from '../wording'

type FieldDifferences = Readonly<Record<string, readonly [unknown, unknown]>>

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

/** Old and new value of each field that changes; a value that is new stands alone. */
export const Differences = ({ fields }: { fields: FieldDifferences }) => (
  <Stack gap={2}>
    {Object.entries(fields).map(([name, [before, after]]) => (
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
  </Stack>
)
