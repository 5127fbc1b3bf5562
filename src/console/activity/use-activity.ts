import type { RecordTypeName } from '#shared/records/record-type'
import { useRead } from '../queries'
import type { ActivityDay } from '../service/answers'

/** The last days of the four catalogs, in the browser's time zone. All pages share one request. */
export function useActivity() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  // Shares the statuses' key, so that it is reloaded when a catalog changes.
  const key = ['catalog-statuses', 'activity', timeZone]
  return useRead(key, async (client, signal): Promise<ReadonlyMap<RecordTypeName, readonly ActivityDay[]>> => {
    const { items } = await client.get('/admin/catalogs/v1/activity', { query: { time_zone: timeZone }, signal })
    return new Map(items.map(({ type, days }) => [type, days]))
  })
}
