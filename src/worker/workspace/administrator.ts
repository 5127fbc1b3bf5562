import type { AppContext } from '#worker/http/context'
import type { Access } from '#worker/http/endpoint/endpoint'
import { listQuerySchema } from '#worker/http/endpoint/parameters'
import type { Authority } from './authority'

/** Who manages keys and members: the operator or an admin. */
export interface Administration<Base extends string, Prefix extends string> {
  tag: string
  access: Access
  base: Base
  /** Comes before the noun in an operation id: `createWorkspaceApiKey`. */
  prefix: Prefix
  /** The authority of a request, and its workspace. Access has been checked before. */
  authorityOf: (c: AppContext) => Authority
  /** Whether the workspace must keep an admin. */
  keepsAdmin: boolean
}

export const REVOCATION = 'Takes effect within 60 seconds. Revoking it again changes nothing.'

/** The parts of an endpoint that are the same for all keys and for members. */
export const administrationDefaults = ({ tag, access }: Pick<Administration<string, string>, 'tag' | 'access'>) =>
  ({
    creation: { tag, access, method: 'post', errors: ['conflict'], writes: true },
    listing: { tag, access, method: 'get', query: listQuerySchema },
    revocation: {
      tag,
      access,
      method: 'delete',
      description: REVOCATION,
      errors: ['not_found'],
      writes: true,
    },
  }) as const
