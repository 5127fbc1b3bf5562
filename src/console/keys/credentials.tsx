import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { authorText } from '../author'
import { tellDone } from '../widgets/done-notice'
import { useSubject } from '../widgets/hooks'
import type { Column } from '../widgets/item-table'
import { timeText, titleCase } from '../wording'
import { AccessList, Section } from './access-list'
import { useItems } from './administration'
import { CreateDialog } from './create-dialog'
import type { CredentialKind } from './credential-kinds'
import { RevocationDialog } from './revocation-dialog'

/** What lists say of every key besides what it is. */
interface KeyUse {
  created_by: string | null
  created_at: string
  last_used_at: string | null
}

/** Who made a key, and when it was last used. */
const USE_COLUMNS: readonly Column<KeyUse>[] = [
  {
    label: 'Last used',
    // The service keeps the hour, not the minute.
    cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : timeText(last_used_at)),
    className: 'time-cell',
  },
  {
    label: 'Created',
    cell: ({ created_at, created_by }) => (
      <>
        <span className="time-cell">{timeText(created_at)}</span>
        {created_by !== null && (
          <Text size="xs" c="dimmed" className="breakable">
            by {authorText(created_by)}
          </Text>
        )}
      </>
    ),
  },
]

interface CredentialsProps<Item, Body, Created> {
  kind: CredentialKind<Item, Body, Created>
}

/** The credentials of one kind: their list, and what creates and revokes them. */
export function Credentials<Item extends KeyUse, Body, Created>({ kind }: CredentialsProps<Item, Body, Created>) {
  const { resource, one, many, idOf } = kind
  const items = useItems(resource)
  const [creating, creation] = useDisclosure(false)
  const revoking = useSubject<Item>()

  return (
    <Section purpose={<Text>{kind.purpose}</Text>} action={`Create ${one}`} onAction={creation.open}>
      <AccessList
        name={many}
        items={items}
        columns={[...kind.columns, ...USE_COLUMNS]}
        idOf={idOf}
        whenEmpty={kind.whenEmpty}
        actions={(item) => (
          <Button
            variant="default"
            size="xs"
            aria-label={`Revoke ${one} ${idOf(item)}`}
            onClick={() => revoking.open(item)}
          >
            Revoke
          </Button>
        )}
      />
      <CreateDialog kind={kind} opened={creating} onClose={creation.close} />
      <RevocationDialog
        resource={resource}
        revoking={revoking}
        idOf={idOf}
        action={`Revoke ${one}`}
        onRevoked={(item) => tellDone(`${titleCase(one)} ${idOf(item)} is revoked.`)}
      >
        {() => <Text>{kind.afterRevocation} It cannot be undone.</Text>}
      </RevocationDialog>
    </Section>
  )
}
