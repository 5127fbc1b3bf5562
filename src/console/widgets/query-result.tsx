import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hasStatus } from '#client/service-error'
import { Problem } from './problem'

interface LoadingProps {
  /** As part of a sentence: `list`. */
  name: string
  height: number
}

/** A placeholder until something is loaded. */
export const Loading = ({ name, height }: LoadingProps) => (
  <div role="status" aria-label={`Loading the ${name}`}>
    <Skeleton height={height} />
  </div>
)

interface QueryResultProps<Data> extends LoadingProps {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'refetch'>
  /** The title if the response is 404. Then there is no button to retry. */
  missing?: string
  children: (data: Data) => ReactNode
}

/** Shows the data of a query, that it is loading, or why it failed. */
export function QueryResult<Data>({ query, missing, children, ...loading }: QueryResultProps<Data>) {
  const { data, error, isPending, refetch } = query
  const isMissing = missing !== undefined && hasStatus(error, 404)
  return (
    <>
      {isPending && <Loading {...loading} />}
      <Problem
        title={isMissing ? missing : `The ${loading.name} could not be loaded`}
        error={error}
        onRetry={isMissing ? undefined : refetch}
      />
      {data !== undefined && children(data)}
    </>
  )
}
