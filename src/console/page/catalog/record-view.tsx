import { Alert, Button, DataList, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { CircleCheck, Pencil } from 'lucide-react'
import { Link } from 'wouter'
import { ServiceError } from '#client/service-error'
import type { RawRecord, RecordType } from '#records/record-type'
import { RecordHistory } from '../history/record-history'
import { editAddress, type ListState, listAddress } from '../record/address'
import { useSession } from '../session'
import { Page } from '../shell/page'
import { Problem } from '../shell/problem'
import { useNarrow } from '../shell/use-narrow'
import { fieldLabel, timeText, titleCase } from '../wording'
import { ActiveBadge } from './active-badge'
import { BackLink } from './back-link'
import { FieldValue } from './field-value'
import { FormLink } from './form-link'
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
  const isMissing = record.error instanceof ServiceError && record.error.status === 404
  return (
    <Page
      above={<BackLink href={listAddress(type, list)} label={`All ${type.plural}`} />}
      title={record.data === undefined ? titleCase(type.title) : String(record.data.name)}
      description={
        <Text span className="breakable">
          {id}
        </Text>
      }
      actions={
        record.data !== undefined &&
        can('catalog:write') && (
          <Button
            component={Link}
            href={editAddress(type, id, list)}
            leftSection={<Pencil size={16} aria-hidden />}
          >
            Edit
          </Button>
        )
      }
    >
      <Stack gap="md">
        {notice !== undefined && (
          <Alert color="teal" variant="light" icon={<CircleCheck aria-hidden />} title={notice} />
        )}
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

function RecordFields({ type, record }: { type: RecordType; record: RawRecord }) {
  const narrow = useNarrow()
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }}>
      <DataList
        size="sm"
        gap="xs"
        withDivider
        labelWidth="200px"
        orientation={narrow ? 'vertical' : 'horizontal'}
      >
        <DataList.Item>
          <DataList.ItemLabel>State</DataList.ItemLabel>
          <DataList.ItemValue>
            <ActiveBadge active={record.is_active === true} />
          </DataList.ItemValue>
        </DataList.Item>
        {type.fields
          .filter(({ name }) => name !== 'is_active')
          .map((field) => (
            <DataList.Item key={field.name}>
              <DataList.ItemLabel>{fieldLabel(field.name)}</DataList.ItemLabel>
              <DataList.ItemValue className="breakable">
                <FieldValue field={field} value={record[field.name]} />
                {field.name === 'form_name' && <FormLink name={record.form_name} />}
              </DataList.ItemValue>
            </DataList.Item>
          ))}
        <DataList.Item>
          <DataList.ItemLabel>Updated</DataList.ItemLabel>
          <DataList.ItemValue>
            <time dateTime={String(record.updated_at)}>{timeText(String(record.updated_at))}</time>
          </DataList.ItemValue>
        </DataList.Item>
      </DataList>
    </Paper>
  )
}
