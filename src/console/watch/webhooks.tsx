import { Badge, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { EVENTS } from '#shared/webhook-events'
import { AccessList, Id, Section } from '../keys/access-list'
import { useItems } from '../keys/administration'
import { CreateDialog } from '../keys/create-dialog'
import type { Creatable } from '../keys/credential-kinds'
import { RevocationDialog } from '../keys/revocation-dialog'
import { Dialog } from '../widgets/dialog'
import { tellDone } from '../widgets/done-notice'
import { type SubjectDialog, useSubject } from '../widgets/hooks'
import { type Column, ItemTable } from '../widgets/item-table'
import { Problem } from '../widgets/problem'
import { timeText } from '../wording'
import {
  answerText,
  deliveryText,
  EVENT_TEXTS,
  eventText,
  useWebhookActions,
  type Webhook,
  webhooks,
} from './resources'
import { RotateDialog } from './rotate-dialog'

type Created = Awaited<ReturnType<typeof webhooks.create>>

/** How a webhook is made. */
const NEW_WEBHOOK: Creatable<Parameters<typeof webhooks.create>[1], Created> = {
  resource: webhooks,
  one: 'webhook',
  create: 'Add webhook',
  Fields: ({ messages }) => (
    <>
      <TextInput
        name="url"
        label="Address"
        description="Where messages are sent: https, on a public name, such as https://hooks.clinic.example/catalogs."
        required
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        error={messages.url}
        data-autofocus
      />
      <Checkbox.Group label="It is told when" defaultValue={[...EVENTS]} error={messages.events}>
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
  valuesOf: ({ secret, url }) => [
    { label: 'Secret', value: secret },
    { label: 'Address', value: url },
  ],
}

type SentMessage = Webhook['deliveries'][number]

const COLUMNS: readonly Column<SentMessage>[] = [
  { label: 'When', cell: ({ at }) => timeText(at), isRowHeader: true, className: 'time-cell' },
  { label: 'Told', cell: ({ event }) => eventText(event) },
  {
    label: 'What became of it',
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

/** What was sent to a receiver last, and what it answered. */
const DeliveriesDialog = ({ shown: { opened, subject, close } }: { shown: SubjectDialog<Webhook> }) => (
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

const WEBHOOK_LIST_COLUMNS: readonly Column<Webhook>[] = [
  { label: 'Address', cell: ({ url }) => <Id>{url}</Id>, isRowHeader: true },
  {
    label: 'Is told',
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
        {webhook.disabled && (
          <Badge color="red" variant="light" c="var(--mantine-color-text)" tt="none" className="state-badge">
            Disabled: nothing is sent
          </Badge>
        )}
      </>
    ),
  },
]

const webhookIdOf = ({ webhook_id }: Webhook): string => webhook_id

/** Addresses that are told of events: their list, and what makes, tests and removes them. */
export function Webhooks() {
  const items = useItems(webhooks)
  const [creating, creation] = useDisclosure(false)
  const { test, enable, rotate } = useWebhookActions()
  const rotating = useSubject<Webhook>()
  const removing = useSubject<Webhook>()
  const looking = useSubject<Webhook>()
  return (
    <Section
      purpose={
        <Text>
          Other programs that are told by the service when a catalog changes, or when a night did not go well: at most
          five addresses. No message has contents of records.
        </Text>
      }
      action="Add webhook"
      onAction={creation.open}
    >
      {[test.error, enable.error].map(
        (error) => error !== null && <Problem key={error.message} title="That could not be done" error={error} />,
      )}
      <AccessList
        name="webhooks"
        items={items}
        columns={WEBHOOK_LIST_COLUMNS}
        idOf={webhookIdOf}
        whenEmpty="No program is told of anything. Add a webhook for the first one."
        actions={(webhook) => (
          <WebhookButtons
            webhook={webhook}
            onLook={looking.open}
            onRotate={rotating.open}
            onRemove={removing.open}
            test={test}
            enable={enable}
          />
        )}
      />
      <CreateDialog kind={NEW_WEBHOOK} opened={creating} onClose={creation.close} />
      <DeliveriesDialog shown={looking} />
      <RotateDialog rotating={rotating} rotate={rotate} />
      <RevocationDialog
        resource={webhooks}
        revoking={removing}
        idOf={webhookIdOf}
        action="Remove webhook"
        onRevoked={({ url }) => tellDone(`${url} is no longer told of anything.`)}
      >
        {({ url }) => (
          <>
            <Text className="breakable">{url}</Text>
            <Text>Messages that wait for it are dropped. It cannot be undone.</Text>
          </>
        )}
      </RevocationDialog>
    </Section>
  )
}

type WebhookActions = ReturnType<typeof useWebhookActions>

interface WebhookButtonsProps extends Pick<WebhookActions, 'test' | 'enable'> {
  webhook: Webhook
  onLook: (webhook: Webhook) => void
  onRotate: (webhook: Webhook) => void
  onRemove: (webhook: Webhook) => void
}

function WebhookButtons({ webhook, test, enable, onLook, onRotate, onRemove }: WebhookButtonsProps) {
  const named = (action: string) => `${action} ${webhook.url}`
  return (
    <Group gap="xs" justify="flex-end">
      <Button
        variant="default"
        size="xs"
        aria-label={named('Test')}
        loading={test.isPending && test.variables === webhook}
        onClick={() =>
          test.mutate(webhook, {
            onSuccess: ({ status }) => tellDone(`Test: ${answerText(status)}.`),
          })
        }
      >
        Test
      </Button>
      {webhook.deliveries.length > 0 && (
        <Button variant="default" size="xs" aria-label={named('Last deliveries to')} onClick={() => onLook(webhook)}>
          Deliveries
        </Button>
      )}
      {webhook.disabled && (
        <Button
          variant="default"
          size="xs"
          aria-label={named('Enable')}
          loading={enable.isPending}
          onClick={() =>
            enable.mutate(webhook, {
              onSuccess: () => tellDone(`${webhook.url} gets messages of later events.`),
            })
          }
        >
          Enable
        </Button>
      )}
      <Button variant="default" size="xs" aria-label={named('New secret for')} onClick={() => onRotate(webhook)}>
        New secret
      </Button>
      <Button variant="default" size="xs" aria-label={named('Remove')} onClick={() => onRemove(webhook)}>
        Remove
      </Button>
    </Group>
  )
}
