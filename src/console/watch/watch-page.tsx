import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useRef } from 'react'
import type { Body, Data } from '#client/api'
import { DEFAULT_GRACE_HOURS, MAX_GRACE_HOURS, MAX_WATCH_HOURS } from '#shared/limits'
import type { RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { Author } from '../author-text'
import { useCatalogChange, useRead } from '../queries'
import { ConfirmDialog, Dialog } from '../widgets/dialog'
import { tellDone } from '../widgets/done-notice'
import { RequestForm } from '../widgets/form'
import { FocusAfterwards } from '../widgets/kept-focus'
import { Page } from '../widgets/page'
import { QueryResult } from '../widgets/query-result'
import { countText, timeText, titleCase } from '../wording'

const WATCH = '/admin/catalogs/v1/{type}/watch'

type Watch = NonNullable<Data<'get', typeof WATCH>>
type NewWatch = Body<'put', typeof WATCH>

/** The sync monitoring of a catalog (null if it is off), and the changes to turn it on and off. */
function useWatch(type: RecordType) {
  const params = { type: type.name }
  return {
    watch: useRead(['watch', type.name], (client, signal) => client.get(WATCH, { params, signal })),
    set: useCatalogChange(type, (client, body: NewWatch) => client.put(WATCH, { params, body })),
    end: useCatalogChange(type, (client) => client.delete(WATCH, { params })),
  }
}

/** How often an integration should send a file, as part of a sentence: `every day`, `every 6 hours`. */
function everyText(hours: number): string {
  if (hours === 1) return 'every hour'
  if (hours === 24) return 'every day'
  return hours % 24 === 0 ? `every ${hours / 24} days` : `every ${hours} hours`
}

/** `A file is expected every day. If none arrives, the catalog is marked as late 1 hour later.` */
function watchText({ every_hours, grace_hours }: Pick<Watch, 'every_hours' | 'grace_hours'>): string {
  const delayText = grace_hours === 0 ? 'immediately' : `${countText(grace_hours, 'hour', 'hours')} later`
  return `A file is expected ${everyText(every_hours)}. If none arrives, the catalog is marked as late ${delayText}.`
}

/** How often integrations should update each catalog. */
export default function WatchPage() {
  return (
    <Page
      title="Sync monitoring"
      description={
        'Choose how often each catalog should be updated by an integration. The overview shows whether each catalog ' +
        'is on time, and webhooks notify other systems.'
      }
    >
      <div className="cards">
        {Object.values(recordTypes).map((type) => (
          <CatalogWatch key={type.name} type={type} />
        ))}
      </div>
    </Page>
  )
}

/** How often integrations should update one catalog, with buttons to change it. */
function CatalogWatch({ type }: { type: RecordType }) {
  const { watch, set, end } = useWatch(type)
  const [isWatchOpen, watchDialog] = useDisclosure(false)
  const [isEndOpen, endDialog] = useDisclosure(false)
  const name = titleCase(type.plural)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={`watch-${type.name}`}>
      <Stack gap="xs" align="flex-start" h="100%">
        <Title order={2} size="h5" id={`watch-${type.name}`}>
          {name}
        </Title>
        <QueryResult query={watch} name="watch" height={104}>
          {(now) => (
            <>
              <WatchRule watch={now} />
              <Group gap="xs" mt="auto">
                <Button
                  ref={button}
                  variant="default"
                  size="xs"
                  onClick={watchDialog.open}
                  aria-label={`${now === null ? 'Turn on' : 'Change'} sync monitoring of ${type.plural}`}
                >
                  {now === null ? 'Turn on' : 'Change'}
                </Button>
                {now !== null && (
                  <Button
                    variant="default"
                    size="xs"
                    onClick={endDialog.open}
                    aria-label={`Turn off sync monitoring of ${type.plural}`}
                  >
                    Turn off
                  </Button>
                )}
              </Group>
              <WatchDialog type={type} watch={now} set={set} opened={isWatchOpen} onClose={watchDialog.close} />
            </>
          )}
        </QueryResult>
      </Stack>
      <FocusAfterwards value={button}>
        <ConfirmDialog
          opened={isEndOpen}
          title={`Turn off sync monitoring of ${type.plural}?`}
          action="Turn off"
          pending={end.isPending}
          error={end.error}
          onConfirm={() =>
            end.mutate(undefined, {
              onSuccess: () => {
                endDialog.close()
                tellDone(`${name} are no longer monitored.`)
              },
            })
          }
          onClose={endDialog.close}
        >
          <Text>No one will be notified if a file does not arrive.</Text>
        </ConfirmDialog>
      </FocusAfterwards>
    </Paper>
  )
}

interface WatchDialogProps {
  type: RecordType
  /** Null if the catalog is not monitored. */
  watch: Watch | null
  set: ReturnType<typeof useWatch>['set']
  opened: boolean
  onClose: () => void
}

const WatchDialog = ({ type, watch, set, opened, onClose }: WatchDialogProps) => (
  <Dialog
    opened={opened}
    onClose={onClose}
    onClosed={set.reset}
    title={`Sync monitoring of ${type.plural}`}
    locked={set.isPending}
  >
    <RequestForm
      mutation={set}
      action="Turn on"
      bodyOf={(form) => ({
        every_hours: hoursIn(form, 'every_hours'),
        grace_hours: hoursIn(form, 'grace_hours'),
      })}
      onDone={() => {
        onClose()
        tellDone(`${titleCase(type.plural)} are monitored.`)
      }}
      onCancel={onClose}
    >
      {(messages) => (
        <>
          <TextInput
            name="every_hours"
            label="A file is expected every … hours"
            description={`24 is every day, 168 is every week. From 1 to ${MAX_WATCH_HOURS}.`}
            inputMode="numeric"
            required
            defaultValue={watch?.every_hours ?? 24}
            error={messages.every_hours}
            data-autofocus
          />
          <TextInput
            name="grace_hours"
            label="Grace period, in hours"
            description={
              `From 0 to ${MAX_GRACE_HOURS}. The hours count from the last file that an integration has written, ` +
              'not from midnight.'
            }
            inputMode="numeric"
            required
            defaultValue={watch?.grace_hours ?? DEFAULT_GRACE_HOURS}
            error={messages.grace_hours}
          />
        </>
      )}
    </RequestForm>
  </Dialog>
)

const WatchRule = ({ watch }: { watch: Watch | null }) =>
  watch === null ? (
    <Text size="sm">Not monitored: no one is notified if a file does not arrive.</Text>
  ) : (
    <>
      <Text size="sm">{watchText(watch)}</Text>
      <Text size="xs" c="dimmed" className="breakable">
        Set {timeText(watch.set_at)} by <Author createdBy={watch.set_by} />
      </Text>
    </>
  )

/** Invalid numbers become NaN, which the service rejects with a message. */
const hoursIn = (form: FormData, name: string): number => Number.parseFloat(String(form.get(name)))
