import { useQuery } from '@tanstack/react-query'
import { useSession } from './session'

/** The names of programs, by their client ids. */
type ProgramNames = ReadonlyMap<string, string>

/**
 * Who wrote something: the address of a person, or which program.
 *
 * @param createdBy as the service says it: `user:` and an address, `partner:` and a key id, `operator`, else the id of a
 *   client
 * @param programs that are known
 */
export function authorText(createdBy: string, programs?: ProgramNames): string {
  if (createdBy === 'operator') return 'The operator'
  const [, kind, name] = /^(user|partner):(.+)$/s.exec(createdBy) ?? []
  if (kind === 'user') return name!
  return kind === 'partner' ? `Partner ${name}` : (programs?.get(createdBy) ?? `Program ${createdBy}`)
}

const KEPT_MS = 300_000

/** `authorText` with the names of the programs of the workspace, as soon as they are there. */
export function useAuthorText(): (createdBy: string) => string {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: ['programs'],
    queryFn: async ({ signal }) => {
      const { items } = await client.get('/admin/workspace/v1/programs', { signal })
      return new Map(items.map(({ client_id, name }) => [client_id, name]))
    },
    staleTime: KEPT_MS,
  })
  return (createdBy) => authorText(createdBy, data)
}
