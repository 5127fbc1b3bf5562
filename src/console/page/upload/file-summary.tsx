import { Alert, Badge, Group, NativeSelect, Paper, Pill, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { Separator } from '../../../catalog/csv/dialect'
import type { RecordType } from '../../../catalog/record-type'
import { fieldLabel, numberText } from '../wording'
import type { ChosenFile } from './chosen-file'
import type { Shortened } from './read-file'

const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252 (Western European)',
}

const SEPARATORS: Readonly<Record<Separator, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <Text component="dt" size="sm" c="dimmed">
      {label}
    </Text>
    <Text component="dd" m={0} fw={600}>
      {value}
    </Text>
  </div>
)

interface FileSummaryProps {
  type: RecordType
  file: ChosenFile
  disabled: boolean
  onSheet: (sheet: string) => void
}

/** What was recognised in a file. */
export function FileSummary({ type, file, disabled, onSheet }: FileSummaryProps) {
  const { csv, workbook } = file
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="file-name">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4" id="file-name">
            {file.name}
          </Title>
          {workbook !== undefined && workbook.sheets.length > 1 && (
            <NativeSelect
              label="Sheet"
              size="xs"
              disabled={disabled}
              data={workbook.sheets.map(({ name }) => name)}
              value={workbook.sheet}
              onChange={(event) => onSheet(event.currentTarget.value)}
            />
          )}
        </Group>
        <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0}>
          <Fact label="Rows with data" value={numberText(csv.rows)} />
          {workbook === undefined ? (
            <>
              <Fact label="Encoding" value={ENCODINGS[csv.encoding] ?? csv.encoding} />
              <Fact label="Separator" value={SEPARATORS[csv.separator]} />
            </>
          ) : (
            <Fact label="Sheet" value={workbook.sheet} />
          )}
          <Fact label="Header row" value={numberText(csv.headerRow)} />
        </SimpleGrid>
        <Columns type={type} file={file} />
        {csv.shortened !== undefined && <ShortenedNumbers {...csv.shortened} />}
      </Stack>
    </Paper>
  )
}

function Columns({ type, file: { csv } }: { type: RecordType; file: ChosenFile }) {
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" id="matched-columns">
        {csv.columns.length === 0
          ? `No column of the file is one of ${type.plural}.`
          : `Columns that are read (${csv.columns.length} of the ${type.fields.length} that ${type.plural} can have)`}
      </Text>
      {csv.columns.length > 0 && (
        <Group component="ul" gap={6} aria-labelledby="matched-columns" className="plain-list">
          {csv.columns.map(({ position, field }) => (
            <Badge key={position} component="li" variant="light" size="lg" tt="none" fw={500}>
              {header(csv.header[position]!, field.name)}
            </Badge>
          ))}
        </Group>
      )}
      {csv.ignored.length > 0 && (
        <>
          <Text size="sm" c="dimmed" id="ignored-columns">
            Columns that are ignored
          </Text>
          <Pill.Group component="ul" aria-labelledby="ignored-columns" className="plain-list">
            {csv.ignored.map((name) => (
              <Pill key={name} component="li">
                {name}
              </Pill>
            ))}
          </Pill.Group>
        </>
      )}
    </Stack>
  )
}

/** The column's own header, and which field it is where the two differ. */
function header(written: string, name: string): string {
  const same = [name, fieldLabel(name).toLowerCase()].includes(written.toLowerCase().replace(/[\s-]+/g, '_'))
  return same ? written : `${written} → ${fieldLabel(name)}`
}

const ShortenedNumbers = ({ cells, text, header, row }: Shortened) => (
  <Alert
    color="yellow"
    variant="light"
    icon={<TriangleAlert aria-hidden />}
    title={cells === 1 ? 'A long number was shortened' : `${numberText(cells)} long numbers were shortened`}
  >
    <Text size="sm">
      The spreadsheet shows {text} in row {row}
      {header === '' ? '' : `, column “${header}”`}, in place of all digits, and that is what would be
      written. Give the column the format “Text” (or “Number” without decimals) in the spreadsheet, save it,
      and choose the file again.
    </Text>
  </Alert>
)
