import { Checkbox, Stack, TextInput } from '@mantine/core'
import { EVENTS } from '#shared/webhook-events'
import type { Creatable } from '../keys/credential-kind'
import { webhooks } from './resources'
import { EVENT_TEXTS } from './watch-text'

type Created = Awaited<ReturnType<typeof webhooks.create>>

/** How a webhook is made. */
export const NEW_WEBHOOK: Creatable<Parameters<typeof webhooks.create>[1], Created> = {
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
            <Checkbox
              key={event}
              name="events"
              value={event}
              label={EVENT_TEXTS[event]}
              description={event}
            />
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
