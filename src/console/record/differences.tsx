import { Stack, Text } from '@mantine/core'
import { fieldLabel, valueText } from '../wording'

type FieldDifferences = Readonly<Record<string, readonly [unknown, unknown]>>

export const showsNothing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

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
            <del>{valueText(before)}</del>
            <span aria-hidden> → </span>
          </>
        )}
        <ins>{valueText(after)}</ins>
      </Text>
    ))}
  </Stack>
)
