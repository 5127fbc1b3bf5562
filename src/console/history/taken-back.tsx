import { Alert, List } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Layers } from 'lucide-react'
import type { RecordType } from '#shared/records/record-type'
import { changesIn } from '../changes/counts'
import type { Write } from '../service/answers'
import { useSession } from '../session'
import { useAuthorText } from '../use-author-text'
import { countText, numberText, titleCase } from '../wording'
import { sentenceText } from './write-text'

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
export function TakenBack({ type, write, from }: TakenBackProps) {
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
        {later.length > 0 && count > later.length && (
          <List.Item>and {numberText(count - later.length)} more</List.Item>
        )}
      </List>
    </Alert>
  )
}
