import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { ServiceClient } from '#client/client'
import { Access, type Login, logOut } from '../service/access'
import { packInWorker } from '../service/pack'
import { type Session, SessionProvider } from '../session'
import { LoginEnded } from './login-ended'

/** Between the tabs of this console in one browser. */
const logouts = () => new BroadcastChannel('catalog-console-logout')

function announceLogout(): void {
  const channel = logouts()
  channel.postMessage(null)
  channel.close()
}

interface OpenSessionProps {
  login: Login
  /** Shows another workspace, from now on. */
  onChoose: (workspaceId: string) => void
  /** Asks the service again what the person may do in this workspace. */
  onReload: (workspaceId: string) => void
  /** As `onReload`, if another login has taken the place of the one on screen. */
  onReplaced: (workspaceId: string) => void
  /** @param deliberately whether by a logout */
  onLeave: (deliberately: boolean) => void
  children: ReactNode
}

/** What a person who is logged in sees. It stays on screen when the login ends, until the same person is back. */
export function OpenSession({ login, onChoose, onReload, onReplaced, onLeave, children }: OpenSessionProps) {
  const queries = useQueryClient()
  const [ended, setEnded] = useState(false)
  const access = useMemo(() => new Access(login), [login])

  useEffect(
    () =>
      access.watch({
        onEnd: () => setEnded(true),
        onResumed: () => {
          setEnded(false)
          // What could not be loaded meanwhile.
          void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
        },
        onReplaced: () => onReplaced(login.workspace_id),
      }),
    [access, login, onReplaced, queries],
  )

  // The session that ended was that of all tabs.
  useEffect(() => {
    const channel = logouts()
    channel.onmessage = () => onLeave(true)
    return () => channel.close()
  }, [onLeave])

  const session = useMemo<Session>(() => {
    const scopes = new Set(login.scope.split(' '))
    return {
      login,
      client: new ServiceClient({ tokens: access, pack: packInWorker }),
      can: (scope) => scopes.has(scope),
      changeWorkspace: onChoose,
      reload: () => onReload(login.workspace_id),
      logOut: async () => {
        await logOut()
        announceLogout()
        onLeave(true)
      },
    }
  }, [access, login, onChoose, onReload, onLeave])

  return (
    <SessionProvider value={session}>
      {children}
      <LoginEnded opened={ended} access={access} onLeave={() => onLeave(false)} />
    </SessionProvider>
  )
}
