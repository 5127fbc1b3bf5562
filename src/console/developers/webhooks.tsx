import { Badge, Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import type { Body, Data } from '#client/api'
import { EVENTS, TEST, type WebhookEvent } from '#shared/webhook-events'
import { type AccessKind, AccessList, Id } from '../keys/access-list'
import { SecretValues } from '../keys/create-dialog'
import { ONE_PAGE } from '../keys/use-items'
import { useItemChange } from '../queries'
import { Dialog } from '../widgets/dialog'
import { tellDone } from '../widgets/done-notice'
import { type SubjectDialog, useSubject } from '../widgets/hooks'
import { type Column, ItemTable } from '../widgets/item-table'
import { Problem } from '../widgets/problem'
import { SubjectConfirmation } from '../widgets/subject-confirmation'
import { timeText } from '../wording'

const WEBHOOKS = '/admin/workspace/v1/webhooks'
const WEBHOOK = `${WEBHOOKS}/{webhook_id}` as const

type Webhook = Data<'get', typeof WEBHOOKS>['items'][number]
type NewWebhook = Body<'post', typeof WEBHOOKS>
type Created = Data<'post', typeof WEBHOOKS>
type NewSecret = Data<'post', `${typeof WEBHOOK}/rotate`>

const EVENT_TEXTS: Readonly<Record<WebhookEvent, string>> = {
  'catalog.changed': 'A catalog has changed',
  'sync.late': 'A monitored catalog is late',
  'sync.refused': 'A file for a monitored catalog was rejected or is awaiting approval',
  'sync.recovered': 'A monitored catalog is on time again',
}

const SENT_EVENTS = new Map<string, string>([...Object.entries(EVENT_TEXTS), [TEST, 'Test']])

function deliveryText({ last_status, last_attempt_at }: Pick<Webhook, 'last_status' | 'last_attempt_at'>): string {
  if (last_attempt_at === null) return 'Nothing sent yet'
  return `${answerText(last_status)}, ${timeText(last_attempt_at)}`
}

/** The response of a receiver: `Delivered (response 204)`. @param status null without a response */
function answerText(status: number | null): string {
  if (status === null) return 'Not delivered: no response'
  return status >= 200 && status < 300
    ? `Delivered (response ${status})`
    : `Not delivered: the receiver returned ${status}`
}

const webhooks: AccessKind<Webhook, NewWebhook, Created> = {
  resource: {
    name: 'webhooks',
    list: (client, signal) => client.get(WEBHOOKS, { query: ONE_PAGE, signal }),
    create: (client, body) => client.post(WEBHOOKS, { body }),
    revoke: (client, webhook_id) => client.delete(WEBHOOK, { params: { webhook_id } }),
  },
  one: 'webhook',
  many: 'webhooks',
  create: 'Add webhook',
  purpose: (
    <Text>
      Webhooks notify other systems when a catalog changes, or when a file is late, rejected or awaiting approval. You
      can add up to five. Messages do not contain record values.
    </Text>
  ),
  whenEmpty: 'No webhooks yet. Add one to notify another system.',
  columns: [
    { label: 'Address', cell: ({ url }) => <Id>{url}</Id>, isRowHeader: true },
    {
      label: 'Events',
      cell: ({ events }) => events.map((event) => <div key={event}>{EVENT_TEXTS[event]}</div>),
    },
    {
      label: 'Last delivery',
      cell: (webhook) => (
        <>
          {deliveryText(webhook)}
          {webhook.failing_since !== null && (
            <Text size="sm" c="var(--mantine-color-error)">
              Nothing delivered since {timeText(webhook.failing_since)}
            </Text>
          )}
          {webhook.disabled && <Badge color="red">Disabled: nothing is sent</Badge>}
        </>
      ),
    },
  ],
  idOf: ({ webhook_id }) => webhook_id,
  nameOf: ({ url }) => url,
  end: 'Remove',
  consequence: () => <Text>Queued messages are deleted. This cannot be undone.</Text>,
  Fields: ({ messages }) => (
    <>
      <TextInput
        name="url"
        label="Address"
        description="Where messages are sent: https, on a public name, such as https://hooks.clinic.example/catalogs."
        required
        inputMode="url"
        spellCheck={false}
        error={messages.url}
        data-autofocus
      />
      <Checkbox.Group label="Send a message when" defaultValue={[...EVENTS]} error={messages.events}>
        <Stack gap="xs" mt={4}>
          {EVENTS.map((event) => (
            <Checkbox key={event} name="events" value={event} label={EVENT_TEXTS[event]} description={event} />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  ),
  bodyOf: (form) => ({
    url: String(form.get('url')).trim(),
    events: EVENTS.filter((event) => form.getAll('events').includes(event)),
  }),
  secretOf: ({ secret, url }) => [
    { label: 'Secret', value: secret },
    { label: 'Address', value: url },
  ],
}

/** The webhook URLs, with controls to add, test and remove them. */
export function Webhooks() {
  const { name } = webhooks.resource
  const test = useItemChange(name, (client, { webhook_id }: Webhook) =>
    client.post(`${WEBHOOK}/test`, { params: { webhook_id } }),
  )
  const enable = useItemChange(name, (client, { webhook_id }: Webhook) =>
    client.post(`${WEBHOOK}/enable`, { params: { webhook_id } }),
  )
  const rotate = useItemChange(name, (client, { webhook_id }: Webhook) =>
    client.post(`${WEBHOOK}/rotate`, { params: { webhook_id } }),
  )
  const rotateDialog = useSubject<Webhook>()
  const newSecretDialog = useSubject<NewSecret>()
  const deliveries = useSubject<Webhook>()
  const buttonsOf = (webhook: Webhook) => {
    const button = (action: string, label: string, onClick: () => void, loading = false) => (
      <Button variant="default" size="xs" aria-label={`${label} ${webhook.url}`} loading={loading} onClick={onClick}>
        {action}
      </Button>
    )
    const tryIt = () => test.mutate(webhook, { onSuccess: ({ status }) => tellDone(`Test: ${answerText(status)}.`) })
    const switchOn = () =>
      enable.mutate(webhook, { onSuccess: () => tellDone(`${webhook.url} is enabled and receives later events.`) })
    return (
      <>
        {button('Test', 'Test', tryIt, test.isPending && test.variables === webhook)}
        {webhook.deliveries.length > 0 && button('Deliveries', 'Last deliveries to', () => deliveries.open(webhook))}
        {webhook.disabled && button('Enable', 'Enable', switchOn, enable.isPending)}
        {button('New secret', 'New secret for', () => rotateDialog.open(webhook))}
      </>
    )
  }
  return (
    <>
      <Problem error={test.error} />
      <Problem error={enable.error} />
      <AccessList
        kind={webhooks}
        actions={buttonsOf}
        onEnded={({ url }) => tellDone(`${url} no longer receives messages.`)}
      >
        <DeliveriesDialog dialog={deliveries} />
        <SubjectConfirmation
          about={rotateDialog}
          mutation={rotate}
          requestOf={(webhook) => webhook}
          action="Replace the secret"
          dangerous={() => false}
          onDone={(_, made) => newSecretDialog.open(made)}
        >
          {({ url }) => (
            <>
              <Text className="breakable">{url}</Text>
              <Text>
                The current secret stays valid for one more day. If the secret has leaked, replace it twice: the second
                replacement revokes the leaked secret immediately.
              </Text>
            </>
          )}
        </SubjectConfirmation>
        <NewSecretDialog dialog={newSecretDialog} />
      </AccessList>
    </>
  )
}

const NewSecretDialog = ({ dialog: { opened, subject, close, forget } }: { dialog: SubjectDialog<NewSecret> }) => (
  <Dialog opened={opened} onClose={close} onClosed={forget} title="New secret" size="lg" locked>
    {subject !== undefined && (
      <Stack>
        <Text>
          Messages carry the signatures of both secrets until {timeText(subject.previous_until)}: give the new one to
          the receiver by then.
        </Text>
        <SecretValues values={[{ label: 'Secret', value: subject.secret }]} onStored={close} />
      </Stack>
    )}
  </Dialog>
)

type SentMessage = Webhook['deliveries'][number]

const COLUMNS: readonly Column<SentMessage>[] = [
  { label: 'When', cell: ({ at }) => timeText(at), isRowHeader: true, className: 'time-cell' },
  { label: 'Event', cell: ({ event }) => SENT_EVENTS.get(event) ?? event },
  {
    label: 'Result',
    cell: ({ status, attempt }) => (
      <>
        {answerText(status)}
        {attempt > 1 && (
          <Text size="xs" c="dimmed">
            Attempt {attempt}
          </Text>
        )}
      </>
    ),
  },
]

const DeliveriesDialog = ({ dialog: { opened, subject, close } }: { dialog: SubjectDialog<Webhook> }) => (
  <Dialog opened={opened} onClose={close} title="Last deliveries" size="lg">
    <Text size="sm" c="dimmed" className="breakable" mb="sm">
      {subject?.url}
    </Text>
    <ItemTable
      name="deliveries"
      items={subject?.deliveries ?? []}
      idOf={({ message_id, attempt }) => `${message_id} ${attempt}`}
      columns={COLUMNS}
      minWidth={300}
    />
  </Dialog>
)
