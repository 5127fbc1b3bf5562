import { Alert, Anchor, Button, Group, List, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, CircleCheck, CircleX, Clock, Hourglass, Lightbulb, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { changesIn } from '../changes/counts'
import { historyAddress, uploadAddress, uploadsAddress, writeAddress } from '../history/address'
import { titleText } from '../history/write-text'
import { ROLE_MEANINGS } from '../role-text'
import type { CatalogStatus, Upload } from '../service/answers'
import { useSession } from '../session'
import { isWritten, reasonText, uploadTitle } from '../uploads/outcome-text'
import { Author } from '../use-author-text'
import { Loaded } from '../widgets/loaded'
import { Page } from '../widgets/page'
import { countText, numberText, shortTimeText, timeText, titleCase } from '../wording'
import { nextStepOf } from './next-step'
import { type SyncStatus, syncStatusOf } from './sync-status'

/** How the four catalogs stand, and what to do next. */
export default function StartPage() {
  const { client, login } = useSession()
  const statuses = useQuery({
    queryKey: ['catalog-statuses'],
    queryFn: async ({ signal }) =>
      (await client.get('/admin/catalogs/v1/', { query: { include: 'held' }, signal })).items,
  })
  const workspace = login.workspaces.find(({ workspace_id }) => workspace_id === login.workspace_id)
  return (
    <Page
      title="Overview"
      description={
        <span className="breakable">
          The catalogs of {workspace?.name ?? login.workspace_id}. You are logged in as {login.email}. Your role is{' '}
          {login.role}: {ROLE_MEANINGS[login.role]}.
        </span>
      }
    >
      <Loaded query={statuses} name="catalogs" height={320}>
        {(items) => (
          <Stack gap="lg">
            <NextStepNotice statuses={items} />
            <div className="cards">
              {items.map((status) => (
                <CatalogCard key={status.type} status={status} />
              ))}
            </div>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

/** What makes sense next, if there is something. */
function NextStepNotice({ statuses }: { statuses: readonly CatalogStatus[] }) {
  const { can } = useSession()
  const step = nextStepOf(statuses, can('catalog:write'))
  switch (step?.is) {
    case undefined:
      return null
    case 'ask':
      return <Step title="The catalogs are empty">An editor or admin of this workspace uploads the first file.</Step>
    case 'upload':
      return (
        <Step title="Next: upload your first catalog" action="Upload a file" address={`/${step.type}/upload`}>
          A spreadsheet with one row for each {recordTypes[step.type].title} is enough. You see what it would change
          before anything is written.
        </Step>
      )
    case 'search':
      return (
        <Step title="Next: let partners find your records" action="Try partner search" address={`/${step.type}/search`}>
          Partners still find the records of the provider's medical database. Try the search in your own{' '}
          {recordTypes[step.type].plural}, and switch it on.
        </Step>
      )
  }
}

interface StepProps {
  title: string
  children: ReactNode
  action?: string
  address?: string
}

const Step = ({ title, children, action, address }: StepProps) => (
  <Alert color="teal" icon={<Lightbulb />} title={title}>
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{children}</Text>
      {address !== undefined && (
        <Button component={Link} href={address} size="sm" rightSection={<ArrowRight size={16} />}>
          {action}
        </Button>
      )}
    </Stack>
  </Alert>
)

/** One catalog: how many records, who changed it last, and what partners find. */
function CatalogCard({ status }: { status: CatalogStatus }) {
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
            {'in use' +
              (total_records > active_records ? `, ${numberText(total_records - active_records)} inactive` : '')}
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

const LOOKS: Readonly<Record<SyncStatus['is'], { color: string; icon: LucideIcon }>> = {
  good: { color: 'green', icon: CircleCheck },
  unwatched: { color: 'gray', icon: Clock },
  late: { color: 'red', icon: Clock },
  refused: { color: 'red', icon: CircleX },
  waiting: { color: 'yellow', icon: Hourglass },
}

interface SyncNoticeProps {
  type: RecordType
  status: CatalogStatus
}

/** Whether programs keep a catalog up to date, and the way to what went wrong. */
function SyncNotice({ type, status: { sync, held = [] } }: SyncNoticeProps) {
  const { can } = useSession()
  const state = syncStatusOf(sync, new Date())
  if (state === undefined) return null
  const { last_upload } = sync
  const hasTrouble = last_upload !== null && !isWritten(last_upload)
  const others = held.filter(({ upload_id }) => upload_id !== last_upload?.upload_id)
  const leadsOn = hasTrouble || state.is === 'late' || others.length > 0
  const isWell = state.is === 'good' || state.is === 'unwatched'
  // An older file that waits is not to be overlooked after a good write.
  if (state.is === 'unwatched' && !leadsOn) {
    return (
      <Text size="sm" c="dimmed">
        {state.title}. It is not watched.
      </Text>
    )
  }
  const { color, icon: Icon } = LOOKS[isWell && others.length > 0 ? 'waiting' : state.is]
  return (
    <Alert color={color} icon={<Icon />} title={state.title} p="xs" className="sync-notice">
      {state.details.map((text) => (
        <Text size="sm" key={text} className="breakable">
          {text}
        </Text>
      ))}
      {hasTrouble && (
        <Anchor component={Link} href={uploadAddress(type, last_upload.upload_id)} size="sm">
          {last_upload.outcome === 'held' && can('catalog:write')
            ? `Look at ${uploadTitle(last_upload)}, approve or discard it`
            : 'What was wrong'}
        </Anchor>
      )}
      {others.length > 0 && <OtherFiles type={type} uploads={others} isMore={last_upload?.outcome === 'held'} />}
      {leadsOn && (
        <Anchor component={Link} href={uploadsAddress(type)} size="sm" display="block" mt={4}>
          All that arrived for the {type.plural}
        </Anchor>
      )}
    </Alert>
  )
}

/** Files that a card names; the list of uploads has all. */
const NAMED_FILES = 3

interface OtherFilesProps {
  type: RecordType
  uploads: readonly Upload[]
  /** Whether the notice itself is about a file that waits. */
  isMore: boolean
}

/** Files that wait besides the one that the notice is about. */
const OtherFiles = ({ type, uploads, isMore }: OtherFilesProps) => (
  <>
    <Text size="sm" mt={4}>
      {headText(uploads.length, isMore)}
    </Text>
    <List size="sm">
      {uploads.slice(0, NAMED_FILES).map((upload) => (
        <List.Item key={upload.upload_id} className="breakable">
          <Anchor component={Link} href={uploadAddress(type, upload.upload_id)} inherit>
            {uploadTitle(upload)}
          </Anchor>
          , {shortTimeText(upload.last_at, new Date())}
          {upload.held_for === 'shrink_guard' && `: ${reasonText(upload)}`}
        </List.Item>
      ))}
      {uploads.length > NAMED_FILES && (
        <List.Item>
          <Anchor component={Link} href={uploadsAddress(type, 'held')} inherit>
            {`${numberText(uploads.length - NAMED_FILES)} more`}
          </Anchor>
        </List.Item>
      )}
    </List>
  </>
)

const headText = (count: number, isMore: boolean): string => {
  const files = countText(count, isMore ? 'other file waits' : 'file waits', isMore ? 'other files wait' : 'files wait')
  return `${files}${isMore ? ' too' : ''}:`
}
