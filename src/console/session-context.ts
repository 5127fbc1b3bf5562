import { createContext, useContext } from 'react'
import type { ServiceClient } from '#client/client'
import type { Scope } from '#shared/access/caller'
import type { Login } from './service/login'

/** Who is logged in, what they may do, and the client that calls the service for them. */
export interface Session {
  login: Login
  client: ServiceClient
  can(scope: Scope): boolean
  changeWorkspace(workspaceId: string): void
  /** Asks the service again what the person may do, for example after a change of role. */
  reload(): void
  /** @throws ServiceError if the person is still logged in */
  logOut(): Promise<void>
}

const SessionContext = createContext<Session | undefined>(undefined)

export const SessionProvider = SessionContext.Provider

/** @throws Error outside of `SessionProvider`: only people who are logged in see the pages */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('there is no session here')
  return session
}
