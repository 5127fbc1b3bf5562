import { Skeleton, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { RecordType } from '#shared/records/record-type'
import type { ActivityDay } from '../service/answers'
import './activity-chart.css'

// What makes a picture of the days comes after the page, as the days themselves do.
const ActivityChart = lazy(() => import('./activity-chart'))

/** The last days of a catalog as a picture. @param days undefined until they are loaded: their place is kept */
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
