import { createContext, useContext } from 'react'
import type { ServiceClient } from '#client/client'
import type { Scope } from '#shared/access/caller'
import type { Login } from './service/login'

/** The logged-in user, their permissions, and a client for their requests. */
export interface Session {
  login: Login
  client: ServiceClient
  can(scope: Scope): boolean
  changeWorkspace(workspaceId: string): void
  /** Reloads the user's permissions, for example after a change of role. */
  reload(): void
  /** @throws ServiceError if the user is still logged in */
  logOut(): Promise<void>
}

const SessionContext = createContext<Session | undefined>(undefined)

export const SessionProvider = SessionContext.Provider

/** @throws Error outside `SessionProvider`: only logged-in users see the pages */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('there is no session here')
  return session
}
