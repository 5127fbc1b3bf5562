import { Badge, Group, Paper, Pill, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { Separator } from '#records/csv/dialect'
import { normalizedHeader } from '#records/csv/header'
import type { RecordType } from '#records/record-type'
import { fieldLabel, numberText } from '../wording'
import type { ChosenFile } from './chosen-file'
import { ColumnTable } from './column-table'
import { FileWarnings } from './file-warnings'

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
  /** Sends a column to another field; null leaves it out. */
  onMap: (header: string, field: string | null) => void
}

/** What was recognised in a file. */
export function FileSummary({ type, file, disabled, onMap }: FileSummaryProps) {
  const { csv, sheet } = file
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="file-name">
      <Stack>
        <Title order={2} size="h4" id="file-name">
          {file.name}
        </Title>
        <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0}>
          <Fact label="Rows with data" value={numberText(csv.rows)} />
          {sheet === undefined ? (
            <>
              <Fact label="Encoding" value={ENCODINGS[csv.encoding] ?? csv.encoding} />
              <Fact label="Separator" value={SEPARATORS[csv.separator]} />
            </>
          ) : (
            <Fact label="Sheet" value={sheet.name} />
          )}
          <Fact label="Header row" value={numberText(csv.headerRow)} />
        </SimpleGrid>
        <Columns type={type} file={file} />
        <ColumnTable type={type} columns={csv.fileColumns} disabled={disabled} onMap={onMap} />
        <FileWarnings file={file} />
      </Stack>
    </Paper>
  )
}

function Columns({ type, file: { csv } }: { type: RecordType; file: ChosenFile }) {
  const leftOut = csv.fileColumns.filter(({ field, by }) => by === 'chosen' && field === undefined)
  const ignored = [...csv.ignored, ...leftOut.map(({ header }) => header)]
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
      {ignored.length > 0 && (
        <>
          <Text size="sm" c="dimmed" id="ignored-columns">
            Columns that are ignored
          </Text>
          <Pill.Group component="ul" aria-labelledby="ignored-columns" className="plain-list">
            {ignored.map((name) => (
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
  const label = fieldLabel(name)
  const same = [name, normalizedHeader(label)].includes(normalizedHeader(written))
  return same ? written : `${written} → ${label}`
}
