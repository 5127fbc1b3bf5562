import { Badge, Button, Group, Paper, Pill, Stack, Text, Title } from '@mantine/core'
import { Columns3 } from 'lucide-react'
import type { ChosenFile } from '#files/chosen-file'
import type { Separator } from '#shared/records/csv/dialect'
import { normalizedHeader } from '#shared/records/csv/header'
import type { RecordType } from '#shared/records/record-type'
import { fieldLabel, numberText } from '../../wording'
import { columnName } from './column-name'
import { COLUMNS_ID } from './columns-panel'
import { FileWarnings } from './file-warnings'

const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252 (Western European)',
}

const SEPARATOR_NAMES: Readonly<Record<Separator, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }

const Fact = ({ label, value }: { label: string; value: string }) => (
  <Group gap={4} wrap="nowrap">
    <dt>{label}</dt>
    <Text component="dd" m={0} inherit>
      {value}
    </Text>
  </Group>
)

interface FileSummaryProps {
  type: RecordType
  file: ChosenFile
  columnsOpen: boolean
  /** Undefined while the columns are asked about. */
  onColumns: (() => void) | undefined
}

export function FileSummary({ type, file, columnsOpen, onColumns }: FileSummaryProps) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="file-name">
      <Stack gap="sm">
        <div>
          <Title order={2} size="h5" id="file-name" className="breakable">
            {file.name}
          </Title>
          <Group gap={6} align="baseline">
            <Text span fz={26} fw={700} lh={1.3}>
              {numberText(file.records)}
            </Text>
            <Text span>{file.records === 1 ? 'row' : 'rows'}</Text>
          </Group>
          <Facts file={file} />
        </div>
        <Columns type={type} file={file} />
        {onColumns !== undefined && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Columns3 size={14} />}
            aria-expanded={columnsOpen}
            aria-controls={columnsOpen ? COLUMNS_ID : undefined}
            onClick={onColumns}
            style={{ alignSelf: 'flex-start' }}
          >
            {columnsOpen ? 'Hide the columns' : 'Change the columns'}
          </Button>
        )}
        <FileWarnings file={file} />
      </Stack>
    </Paper>
  )
}

/** How the file was read, for those who wonder why it looks wrong. */
const Facts = ({ file: { csv, sheet } }: { file: ChosenFile }) => (
  <Group component="dl" m={0} gap="0 8px" fz="xs" c="dimmed">
    {sheet === undefined ? (
      <>
        <Fact label="Encoding" value={ENCODINGS[csv.encoding] ?? csv.encoding} />
        <Fact label="Separator" value={csv.hasPipes ? 'pipe (|)' : SEPARATOR_NAMES[csv.separator]} />
      </>
    ) : (
      <Fact label="Sheet" value={sheet.name} />
    )}
    <Fact label="Header row" value={csv.hasHeader ? numberText(csv.headerRow) : 'none'} />
  </Group>
)

function Columns({ type, file: { csv } }: { type: RecordType; file: ChosenFile }) {
  const leftOut = csv.fileColumns.filter(({ field, by }) => by !== undefined && field === undefined)
  const ignored = [...csv.ignored, ...leftOut.map(columnName)]
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" id="matched-columns">
        {csv.columns.length === 0
          ? `No column of the file is one of ${type.plural}.`
          : `${csv.columns.length} of ${type.fields.length} columns are read`}
      </Text>
      {csv.columns.length > 0 && (
        <Group component="ul" gap={4} aria-labelledby="matched-columns" className="plain-list">
          {csv.columns.map(({ position, field }) => (
            <Badge key={position} component="li" variant="light" color="gray" tt="none" fw={500}>
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

/** The column's own header, and which field it is if the two differ. */
function header(written: string, name: string): string {
  const label = fieldLabel(name)
  const same = [name, normalizedHeader(label)].includes(normalizedHeader(written))
  return same ? written : `${written} → ${label}`
}
