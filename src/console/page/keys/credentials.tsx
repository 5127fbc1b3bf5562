import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useRef } from 'react'
import { ConfirmDialog } from '../shell/confirm-dialog'
import { timeText, titleCase } from '../wording'
import { AccessList } from './access-list'
import { useItems, useRevocation } from './administration'
import { CreateDialog } from './create-dialog'
import type { CredentialKind } from './credential-kind'
import { Id } from './id'
import { Section, type SectionProps } from './section'
import { useSubject } from './use-subject'

interface CredentialsProps<Item, Body, Created> extends SectionProps {
  kind: CredentialKind<Item, Body, Created>
}

/** The credentials of one kind: their list, and what creates and revokes them. */
export function Credentials<Item extends { created_at: string }, Body, Created>({
  kind,
  onDone,
}: CredentialsProps<Item, Body, Created>) {
  const { resource, one, many, idOf } = kind
  const items = useItems<Item>(resource)
  const revocation = useRevocation(resource)
  const [creating, creation] = useDisclosure(false)
  const revoking = useSubject<Item>()
  const button = useRef<HTMLButtonElement>(null)
  const id = revoking.subject === undefined ? '' : idOf(revoking.subject)

  const revoke = () =>
    revocation.mutate(id, {
      onSuccess: () => {
        revoking.close()
        onDone(`${titleCase(one)} ${id} is revoked.`)
      },
    })

  return (
    <Section
      purpose={<Text>{kind.purpose}</Text>}
      action={`Create ${one}`}
      onAction={creation.open}
      button={button}
    >
      <AccessList
        name={many}
        items={items}
        columns={[
          ...kind.columns,
          { label: 'Created', cell: (item) => timeText(item.created_at), className: 'time-cell' },
        ]}
        idOf={idOf}
        whenEmpty={kind.whenEmpty}
        actions={(item) => (
          <Button
            variant="default"
            size="xs"
            aria-label={`Revoke ${one} ${idOf(item)}`}
            onClick={() => {
              revocation.reset()
              revoking.open(item)
            }}
          >
            Revoke
          </Button>
        )}
      />
      <CreateDialog kind={kind} opened={creating} onClose={creation.close} focusAfterwards={button} />
      <ConfirmDialog
        opened={revoking.opened}
        title={`Revoke ${one}?`}
        action={`Revoke ${one}`}
        dangerous
        pending={revocation.isPending}
        error={revocation.error}
        onConfirm={revoke}
        onClose={revoking.close}
        focusAfterwards={button}
      >
        <Id>{id}</Id>
        <Text>{kind.afterRevocation} It cannot be undone.</Text>
      </ConfirmDialog>
    </Section>
  )
}
