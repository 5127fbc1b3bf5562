import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { Access, type Login, logIn, logOut, type Workspace, workspacesOfLogin } from '../service/access'
import { ServiceClient } from '../service/client'
import { ServiceError } from '../service/service-error'
import { type Session, SessionProvider } from '../session'
import { ChooseWorkspace, LogIn, NoAccess, Opening } from './entrance'
import { rememberedWorkspace, rememberWorkspace } from './remembered-workspace'

type State =
  | { is: 'opening' }
  | { is: 'logged_out' }
  | { is: 'choosing'; workspaces: readonly Workspace[] }
  | { is: 'refused'; error: ServiceError }
  | { is: 'open'; login: Login }

/** Finds out who is logged in, and where: in the workspace that was chosen last, if there are several. */
async function open(workspaceId: string | undefined): Promise<State> {
  try {
    return { is: 'open', login: await logIn(workspaceId) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.status === 401) return { is: 'logged_out' }
    // The workspace that was remembered is no longer this person's, or nothing was remembered and there are several.
    if (error.status === 403 && workspaceId !== undefined) return open(undefined)
    if (error.status === 400) return { is: 'choosing', workspaces: await workspacesOfLogin() }
    return { is: 'refused', error }
  }
}

/** Shows its children to those alone who are logged in, and everybody else how to get there. */
export function Gate({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>({ is: 'opening' })
  const queries = useQueryClient()

  const enter = useCallback(
    (workspaceId: string | undefined) => {
      setState({ is: 'opening' })
      queries.clear()
      open(workspaceId).then(setState, (error: unknown) =>
        setState({
          is: 'refused',
          error: error instanceof ServiceError ? error : new ServiceError(String(error), 0),
        }),
      )
    },
    [queries],
  )

  useEffect(() => enter(rememberedWorkspace()), [enter])

  const session = useMemo<Session | undefined>(() => {
    if (state.is !== 'open') return undefined
    const scopes = new Set(state.login.scope.split(' '))
    const access = new Access(state.login, () => setState({ is: 'logged_out' }))
    return {
      login: state.login,
      client: new ServiceClient(access),
      can: (scope) => scopes.has(scope),
      changeWorkspace: (workspaceId) => {
        rememberWorkspace(workspaceId)
        enter(workspaceId)
      },
      reload: () => enter(state.login.workspace_id),
      logOut: async () => {
        await logOut()
        queries.clear()
        setState({ is: 'logged_out' })
      },
    }
  }, [state, enter, queries])

  switch (state.is) {
    case 'opening':
      return <Opening />
    case 'logged_out':
      return <LogIn />
    case 'choosing':
      return (
        <ChooseWorkspace
          workspaces={state.workspaces}
          onChoose={(workspaceId) => {
            rememberWorkspace(workspaceId)
            enter(workspaceId)
          }}
        />
      )
    case 'refused':
      return <NoAccess error={state.error} onRetry={() => enter(rememberedWorkspace())} />
    case 'open':
      return <SessionProvider value={session}>{children}</SessionProvider>
  }
}
