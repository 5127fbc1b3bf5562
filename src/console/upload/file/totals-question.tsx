import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { asksTotals, type ChosenFile } from '#files/chosen-file'
import type { TotalsChoice } from '#files/text/totals'
import type { RecordType } from '#shared/records/record-type'
import { countText, numberText } from '../../wording'

const TOTALS_SHOWN = 10

interface TotalsQuestionProps {
  type: RecordType
  file: ChosenFile
  disabled: boolean
  onChoose: (choice: TotalsChoice) => void
}

/** Asks what becomes of rows that seem to add others up, before they become records. */
export function TotalsQuestion({ type, file, disabled, onChoose }: TotalsQuestionProps) {
  const { totals } = file.csv
  if (totals.length === 0) return null
  const isOpen = asksTotals(file)
  const isOne = totals.length === 1
  return (
    <Alert
      color={isOpen ? 'yellow' : 'gray'}
      icon={<TriangleAlert />}
      role={isOpen ? 'alert' : undefined}
      title={`${countText(totals.length, 'row looks', 'rows look')} like ${isOne ? 'a total' : 'totals'}`}
    >
      <Stack gap="xs">
        <List size="sm">
          {totals.slice(0, TOTALS_SHOWN).map(({ row, cells }) => (
            <List.Item key={row} className="breakable">
              Row {numberText(row)}: {cells.join(' · ')}
            </List.Item>
          ))}
          {totals.length > TOTALS_SHOWN && (
            <List.Item>and {numberText(totals.length - TOTALS_SHOWN)} more</List.Item>
          )}
        </List>
        {!isOpen && (
          <Text size="sm">
            {file.totals === 'leave out' ? 'Not read.' : `Read as ${isOne ? type.title : type.plural}.`}
          </Text>
        )}
        <Group>
          <Button
            size="xs"
            variant={isOpen ? 'filled' : 'default'}
            disabled={disabled || file.totals === 'leave out'}
            onClick={() => onChoose('leave out')}
          >
            Leave {isOne ? 'it' : 'them'} out
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={disabled || file.totals === 'keep'}
            onClick={() => onChoose('keep')}
          >
            {isOne ? `It is a ${type.title}` : `They are ${type.plural}`}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
