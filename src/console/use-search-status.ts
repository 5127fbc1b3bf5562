import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecordType } from '#shared/records/record-type'
import { useSession } from './session'

const STATUS = '/admin/datasets/v1/search-status/'

/** The switch of one type, and how many records it would bring into partner search. */
export function useSearchStatus({ name }: RecordType) {
  const { client } = useSession()
  const queries = useQueryClient()
  const key = ['search-status', name]

  const status = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.get(STATUS, { query: { type: name }, signal }),
  })

  const activeRecords = useQuery({
    queryKey: ['records', name, 'active'],
    queryFn: async ({ signal }) =>
      (await client.get('/admin/datasets/v1/', { query: { type: name, limit: 1 }, signal })).total,
  })

  const change = useMutation({
    mutationFn: (enabled: boolean) => client.post(STATUS, { query: { type: name }, body: { enabled } }),
    onSuccess: (answer) => {
      queries.setQueryData(key, answer)
      queries.invalidateQueries({ queryKey: ['partner-search', name] })
      queries.invalidateQueries({ queryKey: ['catalog-statuses'] })
    },
  })

  return { status, activeRecords, change }
}

export type PartnerSearch = ReturnType<typeof useSearchStatus>
