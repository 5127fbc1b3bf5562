import { Anchor, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { changesIn } from '../changes/counts'
import { historyAddress, writeAddress } from '../history/address'
import { titleText } from '../history/write-text'
import type { CatalogStatus } from '../service/answers'
import { useSession } from '../session'
import { Author } from '../use-author-text'
import { numberText, timeText, titleCase } from '../wording'
import { SyncNotice } from './sync-notice'

/** One catalog: how many records, who changed it last, and what partners find. */
export function CatalogCard({ status }: { status: CatalogStatus }) {
  const { can } = useSession()
  const type = recordTypes[status.type]
  const { active_records, total_records, search_enabled } = status
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={`catalog-${type.name}`}>
      <Stack gap="xs" h="100%">
        <Title order={2} size="h4" id={`catalog-${type.name}`}>
          {titleCase(type.plural)}
        </Title>
        <Group gap="xs" align="baseline">
          <Text fw={650} fz={28} lh={1.2}>
            {numberText(active_records)}
          </Text>
          <Text>
            {`in use${total_records > active_records ? `, ${numberText(total_records - active_records)} inactive` : ''}`}
          </Text>
        </Group>
        <SyncNotice type={type} status={status} />
        <LastChange type={type} status={status} />
        <Text size="sm">
          {search_enabled
            ? 'Partner search is on: partners find these records.'
            : "Partner search is off: partners find the provider's records."}
        </Text>
        <Group gap="4px 16px" mt="auto" pt="xs">
          <Anchor component={Link} href={`/${type.name}/catalog`} size="sm">
            See the {type.plural}
          </Anchor>
          {can('catalog:write') && (
            <Anchor component={Link} href={`/${type.name}/upload`} size="sm">
              Upload {type.plural}
            </Anchor>
          )}
          {status.last_write !== null && (
            <Anchor component={Link} href={historyAddress(type)} size="sm">
              History <VisuallyHidden>of the {type.plural}</VisuallyHidden>
            </Anchor>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}

/** Records are also looked at by writes that change none; then only the time of the last change is known. */
function LastChange({ type, status }: { type: RecordType; status: CatalogStatus }) {
  const { last_write, updated_at } = status
  if (last_write === null || updated_at === null) {
    return (
      <Text size="sm" c="dimmed">
        No {type.plural} so far.
      </Text>
    )
  }
  if (changesIn(last_write) === 0) {
    return (
      <Text size="sm" c="dimmed" className="breakable">
        Last changed {timeText(updated_at)}. Sent again {timeText(last_write.created_at)} by{' '}
        <Author createdBy={last_write.created_by} />, without a change.
      </Text>
    )
  }
  return (
    <Text size="sm" c="dimmed" className="breakable">
      Last changed {timeText(last_write.created_at)} by <Author createdBy={last_write.created_by} />:{' '}
      <Anchor component={Link} href={writeAddress(type, last_write.batch_id)} inherit>
        {titleText(last_write)}
      </Anchor>
    </Text>
  )
}
