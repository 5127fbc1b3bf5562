import { Anchor, Group, Paper, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { timeText, titleCase } from '../wording'
import { ActiveBadge } from './active-badge'
import { recordAddress } from './address'
import { tellingFields } from './columns'
import type { RecordListProps } from './record-list'
import { shortText } from './short-text'

export function RecordCards({ type, list, records }: RecordListProps) {
  const columns = tellingFields(type)
  return (
    <Stack component="ul" gap="xs" className="plain-list" aria-label={titleCase(type.plural)}>
      {records.map((record) => {
        const id = String(record[type.idField])
        const details = columns
          .map((field) => shortText(field, record[field.name]))
          .filter((text) => text !== '')
        return (
          <Paper key={id} component="li" withBorder p="sm" className="card-link">
            <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
              <Anchor component={Link} href={recordAddress(type, id, list)} fw={600} className="breakable">
                {String(record.name)}
              </Anchor>
              <ActiveBadge active={record.is_active === true} />
            </Group>
            {record.display_name !== record.name && <Text size="sm">{String(record.display_name)}</Text>}
            {details.length > 0 && (
              <Text size="sm" className="breakable">
                {details.join(' · ')}
              </Text>
            )}
            <Text size="xs" c="dimmed" className="breakable">
              {id} · updated {timeText(String(record.updated_at))}
            </Text>
          </Paper>
        )
      })}
    </Stack>
  )
}
