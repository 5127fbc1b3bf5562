import { useQuery } from '@tanstack/react-query'
import type { RecordTypeName } from '#shared/records/record-type'
import type { ActivityDay } from '../service/answers'
import { useSession } from '../session-context'

/** The last days of the four catalogs, in the time zone of the browser. One request serves all pages. */
export function useActivity() {
  const { client } = useSession()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return useQuery({
    // With the statuses it is read again when a catalog changes.
    queryKey: ['catalog-statuses', 'activity', timeZone],
    queryFn: async ({ signal }): Promise<ReadonlyMap<RecordTypeName, readonly ActivityDay[]>> => {
      const { items } = await client.get('/admin/catalogs/v1/activity', { query: { time_zone: timeZone }, signal })
      return new Map(items.map(({ type, days }) => [type, days]))
    },
  })
}
