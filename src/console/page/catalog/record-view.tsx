import { Alert, Badge, Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core'
import { CircleCheck, Pencil } from 'lucide-react'
import { Link } from 'wouter'
import { ServiceError } from '#client/service-error'
import type { RawRecord, RecordType } from '#records/record-type'
import { RecordHistory } from '../history/record-history'
import { editAddress, type ListState, listAddress } from '../record/address'
import { headlineOf } from '../record/headline'
import { useSession } from '../session'
import { Page } from '../shell/page'
import { Problem } from '../shell/problem'
import { titleCase } from '../wording'
import { ActivationNotice } from './activation-notice'
import { BackLink } from './back-link'
import { RecordFields } from './record-fields'
import { type Activation, useActivation } from './use-activation'
import { useRecord } from './use-record'

interface RecordViewProps {
  type: RecordType
  list: ListState
  id: string
  /** What was just done with the record. */
  notice: string | undefined
}

/** One record in full. */
export function RecordView({ type, list, id, notice }: RecordViewProps) {
  const { can } = useSession()
  const record = useRecord(type, id)
  const activation = useActivation(type)
  const isMissing = record.error instanceof ServiceError && record.error.status === 404
  return (
    <Page
      above={<BackLink href={listAddress(type, list)} label={`All ${type.plural}`} />}
      title={record.data === undefined ? titleCase(type.title) : String(record.data.name)}
      description={<Headline type={type} id={id} record={record.data} />}
      actions={
        record.data !== undefined &&
        can('catalog:write') && (
          <Group gap="sm">
            <StateButton id={id} active={record.data.is_active === true} activation={activation} />
            <Button
              component={Link}
              href={editAddress(type, id, list)}
              leftSection={<Pencil size={16} aria-hidden />}
            >
              Edit
            </Button>
          </Group>
        )
      }
    >
      <Stack gap="md">
        {notice !== undefined && activation.done === undefined && (
          <Alert color="teal" variant="light" icon={<CircleCheck aria-hidden />} title={notice} />
        )}
        <ActivationNotice activation={activation} />
        {record.isPending && <Skeleton height={480} aria-label="Loading the record" />}
        {record.error !== null && (
          <Problem
            title={isMissing ? `There is no such ${type.title}` : 'The record could not be loaded'}
            error={record.error}
            {...(isMissing ? {} : { onRetry: () => record.refetch() })}
          />
        )}
        {record.data !== undefined && <RecordFields type={type} record={record.data} />}
        {record.data !== undefined && <RecordHistory type={type} id={id} />}
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
    onClick={() => activation.start({ ids: [id], active: !active })}
  >
    {active ? 'Deactivate' : 'Reactivate'}
  </Button>
)

/** What tells the record from others of its name, whether it is inactive, and its id. */
function Headline({ type, id, record }: { type: RecordType; id: string; record: RawRecord | undefined }) {
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
