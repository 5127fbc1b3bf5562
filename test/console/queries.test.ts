import { QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { ConsoleQueries } from '#console/queries'

/** A query on screen whose responses arrive when the test sends them. */
function queryOnScreen(queries: ConsoleQueries) {
  const requests: { signal: AbortSignal; answer: (text: string) => void }[] = []
  const query = new QueryObserver(queries, {
    queryKey: ['partner-search', 'medication'],
    queryFn: ({ signal }) => new Promise<string>((answer) => requests.push({ signal, answer })),
  })
  return { query, requests, leave: query.subscribe(() => undefined) }
}

it('a first response that was requested before a change is not shown after it', async () => {
  const queries = new ConsoleQueries()
  const { query, requests, leave } = queryOnScreen(queries)
  const refreshed = queries.invalidateQueries({ queryKey: ['partner-search'] })
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  requests[1]!.answer('after the change')
  requests[0]!.answer('before the change')
  await refreshed
  expect(query.getCurrentResult().data).toBe('after the change')
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false])
  leave()
})

it('a later response that was requested before a change is not shown after it', async () => {
  const queries = new ConsoleQueries()
  const { query, requests, leave } = queryOnScreen(queries)
  requests[0]!.answer('at first')
  await vi.waitFor(() => expect(query.getCurrentResult().data).toBe('at first'))
  void query.refetch()
  const refreshed = queries.invalidateQueries()
  await vi.waitFor(() => expect(requests).toHaveLength(3))
  requests[2]!.answer('after the change')
  requests[1]!.answer('before the change')
  await refreshed
  expect(query.getCurrentResult().data).toBe('after the change')
  leave()
})
