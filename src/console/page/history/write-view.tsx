import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { Undo2 } from 'lucide-react'
import { Link } from 'wouter'
import { ServiceError } from '#client/service-error'
import type { RecordType } from '#records/record-type'
import { authorText } from '../author'
import { BackLink } from '../catalog/back-link'
import type { CatalogStatus, Write } from '../service/answers'
import { useSession } from '../session'
import { Page } from '../shell/page'
import { Problem } from '../shell/problem'
import { CountTiles } from '../upload/count-tiles'
import { timeText, titleCase } from '../wording'
import { historyAddress, restoreAddress } from './address'
import { ChangedRecords } from './changed-records'
import { useCatalogStatus, useWrite } from './use-writes'
import { canGoBackTo, canUndo, detailText, kindText, titleText, undoText } from './write-text'

/** One write: who, when, and what it did to which record. */
export function WriteView({ type, id }: { type: RecordType; id: string }) {
  const { can } = useSession()
  const write = useWrite(type, id)
  const status = useCatalogStatus(type)
  const isMissing = write.error instanceof ServiceError && write.error.status === 404
  return (
    <Page
      above={<BackLink href={historyAddress(type)} label={`History of the ${type.plural}`} />}
      title={write.data === undefined ? 'History' : titleText(write.data)}
      description={write.data !== undefined && <Origin write={write.data} />}
      actions={
        can('catalog:write') &&
        write.data !== undefined &&
        status.data !== undefined && <WayBack type={type} write={write.data} status={status.data} />
      }
    >
      {write.isPending && <Skeleton height={120} aria-label="Loading the entry" />}
      {write.error !== null && (
        <Problem
          title={isMissing ? 'There is no such entry' : 'The entry could not be loaded'}
          error={write.error}
          {...(isMissing ? {} : { onRetry: () => write.refetch() })}
        />
      )}
      {write.data !== undefined && (
        <Stack gap="lg">
          <CountTiles counts={write.data} />
          <ChangedRecords type={type} id={id} />
        </Stack>
      )}
    </Page>
  )
}

const Origin = ({ write }: { write: Write }) => (
  <Text span className="breakable">
    {[titleCase(kindText(write)), detailText(write), timeText(write.created_at), authorText(write.created_by)]
      .filter((part) => part !== undefined)
      .join(' · ')}
    <Text span size="xs">
      {` · state ${write.revision}`}
    </Text>
  </Text>
)

function WayBack({ type, write, status }: { type: RecordType; write: Write; status: CatalogStatus }) {
  const target = canUndo(write, status) ? 'undo' : canGoBackTo(write, status) ? 'restore' : undefined
  if (target === undefined) return null
  return (
    <Button
      component={Link}
      href={restoreAddress(type, write.batch_id, target)}
      variant="default"
      leftSection={<Undo2 size={16} aria-hidden />}
    >
      {target === 'undo' ? undoText(write) : 'Go back to this point'}
    </Button>
  )
}
