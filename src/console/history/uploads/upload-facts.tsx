import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { FIELD_ERROR_CODES } from '#shared/errors/schemas'
import type { RecordType } from '#shared/records/record-type'
import { Author } from '../../author-text'
import type { Upload } from '../../service/answers'
import { useSession } from '../../session-context'
import { DownloadButton } from '../../widgets/download-button'
import { type Column, ItemTable } from '../../widgets/item-table'
import { QueryResult } from '../../widgets/query-result'
import { countText, fieldLabel, numberText, timeText } from '../../wording'
import { writeAddress } from '../history-address'
import { useWrite } from '../use-writes'
import { countsText } from '../write-text'
import { errorText, outcomeColor, type UploadError, uploadOutcomeText } from './outcome-text'

export const OutcomeBadge = ({ upload }: { upload: Pick<Upload, 'outcome' | 'held_for'> }) => (
  <Badge color={outcomeColor(upload)}>{uploadOutcomeText(upload)}</Badge>
)

/** Who sent an upload, when, and how often it was repeated. */
export const Origin = ({ upload: { created_at, created_by, repeated, last_at } }: { upload: Upload }) => (
  <>
    {timeText(created_at)}
    {repeated > 0 && `, and ${countText(repeated, 'time', 'times')} more until ${timeText(last_at)}`} ·{' '}
    <Author createdBy={created_by} />
  </>
)

const CODE_TEXTS = new Map<string, string>(Object.entries(FIELD_ERROR_CODES))

const errorColumns = (upload: Upload): readonly Column<UploadError>[] => [
  {
    label: 'Field',
    cell: ({ field }) => (field === null ? 'The file' : fieldLabel(field)),
    isRowHeader: true,
  },
  {
    label: 'What is wrong',
    cell: (error) => errorText(error, upload) ?? (CODE_TEXTS.get(error.code) || error.code),
  },
  { label: 'Errors', cell: ({ count }) => numberText(count), className: 'number-cell' },
  {
    label: upload.format === 'csv' ? 'First row' : 'First record',
    // Indexes start at 0.
    cell: ({ first_index }) => (first_index === null ? '' : numberText(first_index + 1)),
    className: 'number-cell',
  },
]

/** The errors of an upload, by kind. */
export const UploadErrors = ({ upload }: { upload: Upload }) => (
  <Stack component="section" gap="xs" aria-labelledby="upload-errors">
    <Title order={2} size="h4" id="upload-errors">
      {countText(upload.error_count, 'error', 'errors')}
    </Title>
    <Text size="sm" c="dimmed">
      {upload.errors.length === 1 ? 'Of one kind.' : `The ${upload.errors.length} most frequent kinds.`} No value of a
      record is kept.
    </Text>
    <ItemTable
      name="errors"
      items={upload.errors}
      idOf={({ field, code }) => `${field} ${code}`}
      columns={errorColumns(upload)}
      minWidth={480}
    />
  </Stack>
)

/** The changes of an upload. */
export function WrittenUpload({ type, batchId }: { type: RecordType; batchId: string }) {
  const write = useWrite(type, batchId)
  return (
    <QueryResult query={write} name="counts" height={96}>
      {(data) => (
        <Stack gap="sm">
          <Text fw={600}>{countsText(data)}</Text>
          <Anchor component={Link} href={writeAddress(type, batchId)}>
            See what it did to each record
          </Anchor>
        </Stack>
      )}
    </QueryResult>
  )
}

/** Downloads the file of a pending upload. */
export function DownloadFile({ type, upload }: { type: RecordType; upload: Upload }) {
  const { client } = useSession()
  const { upload_id, format } = upload
  const getFile = async () => {
    const params = { type: type.name, upload_id }
    const file = await client.file('get', '/admin/catalogs/v1/{type}/uploads/{upload_id}/content', { params })
    return { name: file.fileName ?? `${type.name}.${format}`, content: await file.blob() }
  }
  return (
    <Group>
      <DownloadButton getFile={getFile}>Download the file</DownloadButton>
    </Group>
  )
}
