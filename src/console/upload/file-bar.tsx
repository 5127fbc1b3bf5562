import { Button, Group, NativeSelect, Paper, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Columns3 } from 'lucide-react'
import { asksColumns, type ChosenFile } from '#files/chosen-file'
import { MODE_LABELS } from '../changes/counts'
import type { CatalogPageProps } from '../shell/catalog-page-props'
import { countText } from '../wording'
import { ReplaceFile } from './file-choice'
import { isUnderWay } from './process/stage'
import { columnName } from './questions/column-table'
import { COLUMNS_ID, ColumnsPanel } from './questions/columns-question'
import type { UploadInProgress } from './use-upload'

type FileBarProps = CatalogPageProps & UploadInProgress

/** The file that was chosen, and how it is taken, in one line. */
export function FileBar({ type, upload, stage, mode, sheets }: FileBarProps) {
  const [columnsOpen, columns] = useDisclosure(false)
  const disabled = isUnderWay(stage)
  const file = 'file' in stage ? stage.file : undefined
  const name = file?.name ?? ('name' in stage ? stage.name : '')
  const isAsked = file !== undefined && asksColumns(file, type)
  const canSeeColumns = file !== undefined && !isAsked && file.equalSheets === undefined
  return (
    <>
      <Paper withBorder px="md" py="xs" component="section" aria-labelledby="file-name">
        <Group gap="sm" justify="space-between">
          <Group gap="xs" align="baseline" miw={0} flex="1 1 240px">
            <Title order={2} size="h5" id="file-name" className="breakable">
              {name}
            </Title>
            {file !== undefined && <Text size="sm">{factsOf(file)}</Text>}
          </Group>
          <Group gap="xs">
            {sheets !== undefined && sheets.all.length > 1 && (
              <NativeSelect
                size="xs"
                aria-label="Sheet of the workbook"
                data={sheets.all.map((sheet) => ({ value: sheet.name, label: sheet.name }))}
                value={sheets.chosen}
                disabled={disabled}
                onChange={({ currentTarget: { value } }) =>
                  upload.answer((chosen) => chosen.changeSheet(value))
                }
              />
            )}
            <NativeSelect
              size="xs"
              aria-label="What the file is"
              data={[
                { value: 'upsert', label: MODE_LABELS.upsert },
                { value: 'reconcile', label: MODE_LABELS.reconcile },
              ]}
              value={mode}
              disabled={disabled}
              onChange={({ currentTarget: { value } }) =>
                upload.changeMode(value === 'reconcile' ? 'reconcile' : 'upsert')
              }
            />
            {canSeeColumns && (
              <Button
                variant="default"
                size="xs"
                leftSection={<Columns3 size={14} />}
                aria-expanded={columnsOpen}
                aria-controls={columnsOpen ? COLUMNS_ID : undefined}
                onClick={columns.toggle}
              >
                Columns
              </Button>
            )}
            <ReplaceFile disabled={disabled} onChoose={(chosen) => upload.choose(chosen)} />
          </Group>
        </Group>
      </Paper>
      {canSeeColumns && columnsOpen && (
        <ColumnsPanel type={type} file={file} upload={upload} disabled={disabled} onClose={columns.close} />
      )}
    </>
  )
}

/** Names of columns that are read at a glance. */
const COLUMNS_SHOWN = 5

/** How much of the file is read, and which columns are not. */
function factsOf({ records, csv }: ChosenFile): string {
  const leftOut = csv.fileColumns.filter(({ field, by }) => by !== undefined && field === undefined)
  const ignored = [...csv.ignored, ...leftOut.map(columnName)].filter((name) => name !== '')
  const rows = countText(records, 'row', 'rows')
  const read = `${rows}, ${countText(csv.columns.length, 'column is', 'columns are')} read`
  if (ignored.length === 0) return read
  const further = ignored.length > COLUMNS_SHOWN ? ` and ${ignored.length - COLUMNS_SHOWN} more` : ''
  return `${read}, not ${ignored.slice(0, COLUMNS_SHOWN).join(', ')}${further}`
}
