import { Alert, Button, List } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Layers } from 'lucide-react'
import { Link } from 'wouter'
import type { Change } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import { changesIn } from '../changes/counts'
import { inUseText, WritePreview } from '../changes/write-preview'
import type { Preview, Write } from '../service/answers'
import { useSession } from '../session'
import { useAuthorText } from '../use-author-text'
import { countText, numberText, titleCase } from '../wording'
import { type RestoreKind, writeAddress } from './address'
import { sentenceText } from './write-text'

interface RestorePreviewProps {
  type: RecordType
  write: Write
  /** The state, within a sentence: `as they were before …`. */
  state: string
  check: Preview
  target: RestoreKind
  moved: boolean
  /** Whether it is being done, or looked at again. */
  pending: boolean
  /** Whether a question above is open. */
  isOpen: boolean
  onList: (change: Change | undefined) => Promise<Blob>
  onConfirm: () => void
}

const ALREADY: Readonly<Record<RestoreKind, string>> = {
  undo: 'There is nothing to take back',
  restore: 'The catalog is in that state already',
}

const LEAVE_FIRST = 'First say that those that were changed later stay.'

/** What the way back would change, and the button that makes it so. */
export function RestorePreview(props: RestorePreviewProps) {
  const { type, write, state, check, target, moved, pending, isOpen, onList, onConfirm } = props
  const changes = changesIn(check)
  return (
    <WritePreview
      type={type}
      check={check}
      title={changes === 0 ? ALREADY[target] : undefined}
      outcome={`${target === 'undo' ? 'Its' : 'The'} ${type.plural} would be ${state}. ${titleCase(inUseText(check))}`}
      moved={moved ? 'nothing was restored. This is what would change now.' : undefined}
      open={isOpen ? LEAVE_FIRST : undefined}
      buttons={
        <Button component={Link} href={writeAddress(type, write.batch_id)} variant="default">
          {changes > 0 ? 'Cancel' : 'Back'}
        </Button>
      }
      pending={pending}
      onList={onList}
      onWrite={onConfirm}
    >
      {target === 'restore' && <TakenBack type={type} write={write} from={check.revision} />}
    </WritePreview>
  )
}

/** Writes that can be read at a glance; the history has all of them. */
const TAKEN_BACK_SHOWN = 8

interface TakenBackProps {
  type: RecordType
  /** The one after which the catalog goes back to. It is not named again. */
  write: Write
  /** Present revision of the catalog. */
  from: number
}

/** Names the later changes that go with it: nobody's work is taken back unseen. */
function TakenBack({ type, write, from }: TakenBackProps) {
  const { client } = useSession()
  const authorOf = useAuthorText()
  const count = from - write.revision
  const writes = useQuery({
    queryKey: ['writes', type.name, 'since', write.revision, from],
    queryFn: ({ signal }) =>
      client.get('/admin/catalogs/v1/{type}/writes', {
        params: { type: type.name },
        query: { limit: 25 },
        signal,
      }),
    enabled: count > 0,
  })
  if (count <= 0) return null
  const later = (writes.data?.items ?? [])
    .filter((one) => one.revision > write.revision && one.revision <= from && changesIn(one) > 0)
    .slice(0, TAKEN_BACK_SHOWN)
  return (
    <Alert
      color="yellow"
      icon={<Layers />}
      title={`This takes back ${countText(count, 'later change', 'later changes')}`}
    >
      <List size="sm">
        {later.map((one) => (
          <List.Item key={one.batch_id} className="breakable">
            {titleCase(sentenceText(one, authorOf(one.created_by)).replace(/^the /, ''))}
          </List.Item>
        ))}
        {later.length > 0 && count > later.length && <List.Item>and {numberText(count - later.length)} more</List.Item>}
      </List>
    </Alert>
  )
}
