import { Group, Radio, Text } from '@mantine/core'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { fieldLabel, numberText } from '../../wording'
import { QuestionCard } from '../questions/question-card'

/** Names that are read at a glance. */
const FIELDS_SHOWN = 4

/** `Strength, Unit and 8 more`. */
function namesOf(fields: readonly string[]): string {
  const names = fields.map(fieldLabel)
  const further = names.length - FIELDS_SHOWN
  if (further > 0) return `${names.slice(0, FIELDS_SHOWN).join(', ')} and ${numberText(further)} more`
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

interface KeepChoiceProps {
  type: RecordType
  /** Fields that the file has no column for. */
  missing: readonly string[]
  keeps: boolean
  onChange: (keeps: boolean) => void
}

/** What becomes of fields that the file has no column for, in the records that it changes. */
export function KeepChoice({ type, missing, keeps, onChange }: KeepChoiceProps) {
  const isNeeded = missing.some((name) => fieldNamed(type, name)?.required)
  const label = `The file has no column for ${namesOf(missing)}`
  if (isNeeded) {
    return (
      <Text size="sm">
        {label}. The {type.plural} that you have keep what they have there.
      </Text>
    )
  }
  return (
    <QuestionCard title={label} answer={keeps ? KEPT : 'these fields are emptied'} disabled={false}>
      <Radio.Group
        aria-label={label}
        value={keeps ? 'keep' : 'empty'}
        onChange={(value) => onChange(value === 'keep')}
      >
        <Group gap="lg">
          <Radio value="keep" label="Keep what the catalog has there" />
          <Radio value="empty" label="Empty these fields" />
        </Group>
      </Radio.Group>
    </QuestionCard>
  )
}

const KEPT = 'what the catalog has there stays'
