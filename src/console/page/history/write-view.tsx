import { Button, Stack, Text } from '@mantine/core'
import { Undo2 } from 'lucide-react'
import { Link } from 'wouter'
import type { RecordType } from '#records/record-type'
import { authorText } from '../author'
import { BackLink } from '../catalog/back-link'
import { CountTiles } from '../changes/count-tiles'
import type { CatalogStatus, Write } from '../service/answers'
import { useSession } from '../session'
import { Loaded } from '../shell/loaded'
import { Page } from '../shell/page'
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
      <Loaded query={write} name="entry" missing="There is no such entry" height={120}>
        {(loaded) => (
          <Stack gap="lg">
            <CountTiles counts={loaded} />
            <ChangedRecords type={type} id={id} />
          </Stack>
        )}
      </Loaded>
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
      leftSection={<Undo2 size={16} />}
    >
      {target === 'undo' ? undoText(write) : 'Go back to this point'}
    </Button>
  )
}
