import { Skeleton, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { RecordType } from '#shared/records/record-type'
import type { ActivityDay } from '../service/answers'
import './activity-chart.css'

// Loaded after the page, like the data.
const ActivityChart = lazy(() => import('./activity-chart'))

/** The chart of a catalog's last days. @param days undefined until loaded, which keeps its space */
export const LastDays = ({ type, days }: { type: RecordType; days: readonly ActivityDay[] | undefined }) => (
  <Suspense fallback={<Placeholder />}>
    {days === undefined ? <Placeholder /> : <ActivityChart key={type.name} type={type} days={days} />}
  </Suspense>
)

const Placeholder = () => (
  <div className="activity" role="status" aria-label="Loading the last days">
    <Skeleton className="activity-placeholder" />
    <Text size="xs">&nbsp;</Text>
    <div className="activity-text" />
  </div>
)
