import { Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import { CircleCheck, Pencil } from 'lucide-react'
import { Link } from 'wouter'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { RecordHistory } from '../history/record-history'
import { editAddress, type ListState, listAddress } from '../record/address'
import { headlineOf } from '../record/short-texts'
import { useSession } from '../session'
import { Loaded } from '../widgets/loaded'
import { Page } from '../widgets/page'
import { titleCase } from '../wording'
import { BackLink } from './back-link'
import { ActivationNotice } from './list/activation-notice'
import { type Activation, useActivation } from './list/use-activation'
import { RecordFields } from './record-fields'
import { useRecord } from './use-record'

interface RecordViewProps {
  type: RecordType
  list: ListState
  id: string
  /** What was just done with the record. */
  notice: string | undefined
}

export function RecordView({ type, list, id, notice }: RecordViewProps) {
  const { can } = useSession()
  const record = useRecord(type, id)
  const activation = useActivation(type)
  return (
    <Page
      above={<BackLink href={listAddress(type, list)} label={`All ${type.plural}`} />}
      title={record.data === undefined ? titleCase(type.title) : String(record.data.name)}
      description={<RecordHeadline type={type} id={id} record={record.data} />}
      actions={
        record.data !== undefined &&
        can('catalog:write') && (
          <Group gap="sm">
            <StateButton id={id} active={record.data.is_active === true} activation={activation} />
            <Button component={Link} href={editAddress(type, id, list)} leftSection={<Pencil size={16} />}>
              Edit
            </Button>
          </Group>
        )
      }
    >
      <Stack gap="md">
        {notice !== undefined && activation.done === undefined && (
          <Alert color="teal" icon={<CircleCheck />} title={notice} />
        )}
        <ActivationNotice activation={activation} />
        <Loaded query={record} name="record" missing={`There is no such ${type.title}`} height={480}>
          {(loaded) => (
            <>
              <RecordFields type={type} record={loaded} />
              <RecordHistory type={type} id={id} />
            </>
          )}
        </Loaded>
      </Stack>
    </Page>
  )
}

interface StateButtonProps {
  id: string
  active: boolean
  activation: Activation
}

/** One click; the way back is in the notice that follows. */
const StateButton = ({ id, active, activation }: StateButtonProps) => (
  <Button
    variant="default"
    loading={activation.isPending}
    onClick={() => activation.start({ ids: [id], active: !active }, true)}
  >
    {active ? 'Deactivate' : 'Reactivate'}
  </Button>
)

/** What tells the record from others of its name, whether it is inactive, and its id. */
function RecordHeadline({
  type,
  id,
  record,
}: {
  type: RecordType
  id: string
  record: RawRecord | undefined
}) {
  const headline = record === undefined ? [] : headlineOf(type, record)
  return (
    <>
      {headline.length > 0 && (
        <Text span display="block" c="var(--mantine-color-text)" className="breakable">
          {headline.join(' · ')}
        </Text>
      )}
      <Group component="span" gap="xs">
        {record?.is_active === false && (
          <Badge component="span" color="gray" tt="none" className="state-badge">
            Inactive
          </Badge>
        )}
        <Code className="breakable">{id}</Code>
      </Group>
    </>
  )
}
