import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session'

const SETTINGS = ['settings']

/** What admins have set for the workspace. */
export function useSettings() {
  const { client } = useSession()
  return useQuery({
    queryKey: SETTINGS,
    queryFn: ({ signal }) => client.get('/admin/workspace/v1/settings', { signal }),
  })
}

/** From this share of the active records on, in percent, the number has to be typed: always, until it is known. */
export const useConfirmationShare = (): number => useSettings().data?.confirm_deactivation_percent ?? 0

export function useSaveConfirmationShare(onSaved: () => void) {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (percent: number) =>
      client.post('/admin/workspace/v1/settings', { body: { confirm_deactivation_percent: percent } }),
    onSuccess: (settings) => {
      queries.setQueryData(SETTINGS, settings)
      onSaved()
    },
  })
}
