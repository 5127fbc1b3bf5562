import { Button } from '@mantine/core'
import { useItemChange } from '../queries'
import { Dialog } from '../widgets/dialog'
import { tellDone } from '../widgets/done-notice'
import { RequestForm } from '../widgets/form'
import { useSubject } from '../widgets/hooks'
import { AccessList } from './access-list'
import {
  OriginsInput,
  originsIn,
  PARTNER_CREDENTIALS_PATH,
  type PartnerCredential,
  partnerCredentials,
} from './credential-kinds'

/** The partner credentials. Their web origins can be changed without a new secret. */
export function PartnerCredentials({ onEnded }: { onEnded: (item: PartnerCredential) => void }) {
  const { opened, subject, open, close } = useSubject<PartnerCredential>()
  const change = useItemChange(
    partnerCredentials.resource.name,
    (client, { kid, allowed_origins }: Pick<PartnerCredential, 'kid' | 'allowed_origins'>) =>
      client.put(`${PARTNER_CREDENTIALS_PATH}/{kid}`, { params: { kid }, body: { allowed_origins } }),
  )
  const originsButton = (item: PartnerCredential) => (
    <Button variant="default" size="xs" aria-label={`Web origins of ${item.kid}`} onClick={() => open(item)}>
      Web origins
    </Button>
  )
  return (
    <AccessList kind={partnerCredentials} actions={originsButton} onEnded={onEnded}>
      <Dialog opened={opened} onClose={close} onClosed={change.reset} title="Change the web origins" size="lg">
        {subject !== undefined && (
          <RequestForm
            mutation={change}
            action="Save"
            bodyOf={(form) => ({ kid: subject.kid, allowed_origins: originsIn(form) })}
            onDone={() => {
              close()
              tellDone(`The web origins of ${subject.issuer} are changed. They count within a minute.`)
            }}
            onCancel={close}
          >
            {(messages) => <OriginsInput messages={messages} origins={subject.allowed_origins} />}
          </RequestForm>
        )}
      </Dialog>
    </AccessList>
  )
}
