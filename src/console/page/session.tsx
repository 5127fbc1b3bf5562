import { createContext, useContext } from 'react'
import type { Scope } from '#access/caller'
import type { Login } from './service/access'
import type { ServiceClient } from './service/client'

/** The person who is logged in, in one workspace. */
export interface Session {
  login: Login
  client: ServiceClient
  can(scope: Scope): boolean
  /** Shows another of the person's workspaces. */
  changeWorkspace(workspaceId: string): void
  /** Finds out anew what the person may do, as after a change of the own role. */
  reload(): void
  /** @throws ServiceError where the person is still logged in */
  logOut(): Promise<void>
}

const SessionContext = createContext<Session | undefined>(undefined)

export const SessionProvider = SessionContext.Provider

/** @throws Error outside of `SessionProvider`: the pages are shown to those alone who are logged in */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('there is no session here')
  return session
}
