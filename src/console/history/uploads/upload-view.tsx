import { Alert, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, Hourglass } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { RecordType } from '#shared/records/record-type'
import { useRead } from '../../queries'
import type { Upload } from '../../service/answers'
import { useSession } from '../../session-context'
import { BackLink } from '../../widgets/back-link'
import { DoneNotice, FocusedAlert } from '../../widgets/done-notice'
import { Page } from '../../widgets/page'
import { QueryResult } from '../../widgets/query-result'
import { timeText, titleCase } from '../../wording'
import { historyAddress } from '../history-address'
import { type Decision, HeldFileDecision } from './held-file-decision'
import { endText, isWritten, reasonText, uploadDetail, uploadTitle } from './outcome-text'
import { DownloadFile, Origin, OutcomeBadge, UploadErrors, WrittenUpload } from './upload-facts'

/** The page of one upload: who sent it and when, its errors, and the decision if it is pending. */
export function UploadView({ type, id }: { type: RecordType; id: string }) {
  const queries = useQueryClient()
  const [decision, setDecision] = useState<Decision>()
  const params = { type: type.name, upload_id: id }
  const upload = useRead(['upload', type.name, id], (client, signal) =>
    client.get('/admin/catalogs/v1/{type}/uploads/{upload_id}', { params, signal }),
  )
  const onDecided = useCallback(
    (decided: Decision) => {
      setDecision(decided)
      // Someone else has changed the catalog, or the pending upload has expired.
      if (decided === 'gone') void queries.invalidateQueries()
    },
    [queries],
  )
  return (
    <Page
      above={<BackLink href={historyAddress(type, 'all')} label={`History of the ${type.plural}`} />}
      title={upload.data === undefined ? 'Upload' : uploadTitle(upload.data)}
      description={
        upload.data !== undefined && (
          <span className="breakable">
            {uploadDetail(upload.data)} · <Origin upload={upload.data} />
          </span>
        )
      }
    >
      <QueryResult query={upload} name="upload" missing="There is no such upload" height={240}>
        {(data) => <UploadBody type={type} upload={data} decision={decision} onDecided={onDecided} />}
      </QueryResult>
    </Page>
  )
}

interface UploadBodyProps {
  type: RecordType
  upload: Upload
  decision: Decision | undefined
  onDecided: (decision: Decision) => void
}

function UploadBody({ type, upload, decision, onDecided }: UploadBodyProps) {
  const { can } = useSession()
  const isHeld = upload.outcome === 'held' && decision === undefined
  return (
    <Stack gap="lg">
      <DecisionNotice type={type} upload={upload} decision={decision} />
      <Group gap="sm">
        <OutcomeBadge upload={upload} />
        {upload.request_id !== null && (
          <Text size="xs" c="dimmed" className="breakable">
            Request ID: {upload.request_id}
          </Text>
        )}
      </Group>
      {hasReason(upload) && <Text className="breakable">{titleCase(reasonText(upload))}.</Text>}
      {isHeld && <Waiting upload={upload} />}
      {isHeld && <DownloadFile type={type} upload={upload} />}
      {upload.outcome === 'invalid' && upload.errors.length > 0 && <UploadErrors upload={upload} />}
      {isHeld &&
        (can('catalog:write') ? (
          <HeldFileDecision type={type} upload={upload} onDecided={onDecided} />
        ) : (
          <Text>Editors and admins of the workspace see what it would change, and decide.</Text>
        ))}
      {upload.batch_id !== null && <WrittenUpload type={type} batchId={upload.batch_id} />}
    </Stack>
  )
}

/** Whether a sentence says why it was not written. Errors have a table instead, and a pending upload has a preview. */
const hasReason = (upload: Upload): boolean =>
  !isWritten(upload) && upload.outcome !== 'held' && upload.errors.length === 0

const Waiting = ({ upload }: { upload: Upload }) => (
  <Alert
    color="yellow"
    icon={<Hourglass />}
    title={upload.held_for === 'dry_run' ? 'Awaiting approval' : `Awaiting approval: ${reasonText(upload)}`}
  >
    <Text size="sm">
      {upload.held_until !== null && `It is kept until ${timeText(upload.held_until)}. `}
      Nothing has been written yet. Approve the file if it is correct, or discard it.
    </Text>
  </Alert>
)

function DecisionNotice({ type, upload, decision }: Omit<UploadBodyProps, 'onDecided'>) {
  if (decision === undefined) return null
  if (decision === 'approved') {
    return <DoneNotice title="Approved" text={`The file is written. The ${type.plural} are up to date.`} />
  }
  if (decision === 'discarded') {
    return <DoneNotice title="Discarded" text={`The file is deleted. The ${type.plural} are as they were.`} />
  }
  return (
    <FocusedAlert color="yellow" icon={<CircleAlert />} title="Someone else already handled this file" role="alert">
      {upload.outcome === 'held'
        ? 'The file is no longer pending. You did not change anything.'
        : `The file ${endText(upload.outcome)} in the meantime. You did not change anything.`}
    </FocusedAlert>
  )
}
