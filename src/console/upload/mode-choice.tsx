import { Box, Group, Radio, Stack, Text } from '@mantine/core'
import type { RecordType } from '#shared/records/record-type'
import { MODE_LABELS } from '../changes/counts'
import type { Mode } from './process/stage'

interface ModeChoiceProps {
  type: RecordType
  mode: Mode
  disabled: boolean
  onChange: (mode: Mode) => void
}

/** Whether the file is a part of the catalog or the whole of it. */
export function ModeChoice({ type, mode, disabled, onChange }: ModeChoiceProps) {
  const choices: { value: Mode; description: string }[] = [
    {
      value: 'upsert',
      description: `What is in the file is added, or updated where the id is known. All other ${type.plural} stay as they are.`,
    },
    {
      value: 'reconcile',
      description: `The file is the whole catalog: active ${type.plural} that are not in it are deactivated. They are not deleted, and come back when a later file has them again.`,
    },
  ]
  return (
    <Radio.Group
      label="What the file is"
      value={mode}
      onChange={(value) => onChange(value === 'reconcile' ? 'reconcile' : 'upsert')}
    >
      <Box mt="xs" className="mode-choices">
        {choices.map(({ value, description }) => (
          <Radio.Card key={value} value={value} p="md" disabled={disabled} className="choice">
            <Group wrap="nowrap" align="flex-start">
              <Radio.Indicator disabled={disabled} />
              <Stack gap={2}>
                <Text fw={600}>{MODE_LABELS[value]}</Text>
                <Text size="sm" c="dimmed">
                  {description}
                </Text>
              </Stack>
            </Group>
          </Radio.Card>
        ))}
      </Box>
    </Radio.Group>
  )
}
