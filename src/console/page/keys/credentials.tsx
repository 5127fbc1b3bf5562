import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useRef } from 'react'
import { titleCase } from '../wording'
import { AccessList } from './access-list'
import { useItems } from './administration'
import { CreateDialog } from './create-dialog'
import type { CredentialKind } from './credential-kind'
import { RevocationDialog } from './revocation-dialog'
import { Section, type SectionProps } from './section'
import { type KeyUse, USE_COLUMNS } from './use-columns'
import { useSubject } from './use-subject'

interface CredentialsProps<Item, Body, Created> extends SectionProps {
  kind: CredentialKind<Item, Body, Created>
}

/** The credentials of one kind: their list, and what creates and revokes them. */
export function Credentials<Item extends KeyUse, Body, Created>({
  kind,
  onDone,
}: CredentialsProps<Item, Body, Created>) {
  const { resource, one, many, idOf } = kind
  const items = useItems(resource)
  const [creating, creation] = useDisclosure(false)
  const revoking = useSubject<Item>()
  const button = useRef<HTMLButtonElement>(null)

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
      <CreateDialog kind={kind} opened={creating} onClose={creation.close} focusAfterwards={button} />
      <RevocationDialog
        resource={resource}
        revoking={revoking}
        idOf={idOf}
        action={`Revoke ${one}`}
        onRevoked={(item) => onDone(`${titleCase(one)} ${idOf(item)} is revoked.`)}
        focusAfterwards={button}
      >
        {() => <Text>{kind.afterRevocation} It cannot be undone.</Text>}
      </RevocationDialog>
    </Section>
  )
}
