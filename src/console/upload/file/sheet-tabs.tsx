import { Tabs, Text } from '@mantine/core'
import type { Sheets } from '#files/file-work'
import type { RecordType } from '#shared/records/record-type'
import { countText } from '../../wording'

interface SheetTabsProps {
  type: RecordType
  sheets: Sheets
  disabled: boolean
  onChoose: (name: string) => void
}

const fitText = (fields: number): string =>
  fields === 0 ? 'no known column' : countText(fields, 'known column', 'known columns')

/** The sheets of a workbook, and how well each of them fits the catalog. */
export const SheetTabs = ({ type, sheets, disabled, onChoose }: SheetTabsProps) => (
  <Tabs
    value={sheets.chosen}
    onChange={(name) => name !== null && onChoose(name)}
    activateTabWithKeyboard={false}
  >
    <Tabs.List aria-label={`Sheets of the workbook, and their columns of ${type.plural}`}>
      {sheets.all.map(({ name, fields }) => (
        <Tabs.Tab key={name} value={name} disabled={disabled}>
          {name}{' '}
          <Text span size="xs" c="dimmed">
            {fitText(fields)}
          </Text>
        </Tabs.Tab>
      ))}
    </Tabs.List>
    {sheets.all.map(({ name }) => (
      <Tabs.Panel key={name} value={name} pt={4}>
        <Text size="xs" c="dimmed">
          The rows of “{name}” are read.
        </Text>
      </Tabs.Panel>
    ))}
  </Tabs>
)
