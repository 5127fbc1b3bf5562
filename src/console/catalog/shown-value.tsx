import { Code, Pill, Text, VisuallyHidden } from '@mantine/core'
import type { Field } from '#shared/records/record-type'
import { valueLabel } from '../wording'

const Absent = () => (
  <>
    <Text span inherit c="dimmed" aria-hidden>
      —
    </Text>
    <VisuallyHidden>Not given</VisuallyHidden>
  </>
)

export function ShownValue({ field, value }: { field: Field; value: unknown }) {
  if (value === null || value === undefined) return <Absent />
  switch (field.kind) {
    case 'string':
      return <span className="pre-line">{String(value)}</span>
    case 'enum':
      return valueLabel(field, String(value))
    case 'boolean':
      return value === true ? 'Yes' : 'No'
    case 'list':
      return <Items items={value as string[]} />
    case 'any':
      return typeof value === 'string' ? (
        <span className="pre-line">{value}</span>
      ) : (
        <Code block>{JSON.stringify(value, null, 2)}</Code>
      )
  }
}

const Items = ({ items }: { items: readonly string[] }) =>
  items.length === 0 ? (
    <Absent />
  ) : (
    <Pill.Group component="ul" w="100%" className="plain-list">
      {items.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item may occur twice.
        <Pill key={place} component="li" className="item-pill">
          {item}
        </Pill>
      ))}
    </Pill.Group>
  )
