import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { ConsoleFailure, FailureBoundary } from './frame/failure'
import { Frame } from './frame/frame'
import { GuardedRouter } from './frame/leave-guard'
import { LoginGate } from './frame/login-gate'
import { ConsoleQueries } from './queries'
import { cssVariables, theme } from './theme'
import { useNarrow } from './widgets/hooks'

/**
 * The client itself repeats what is safe to repeat. Nothing waits for the network: a save that begins offline fails at
 * once, and does not happen by itself an hour later.
 */
const queries = new ConsoleQueries({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { networkMode: 'always' },
  },
})

/** The library's own style elements carry the nonce that the answer's Content-Security-Policy names. */
const nonceOfPage = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

declare global {
  var __webpack_nonce__: string | undefined
}
// Where the style element that keeps the page from scrolling behind a dialog looks for it (package `get-nonce`).
globalThis.__webpack_nonce__ = nonceOfPage()

/** Short messages. On a phone the buttons of a page are at the bottom: there they are below the head. */
const Messages = () => <Notifications position={useNarrow() ? 'top-center' : 'bottom-right'} />

export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={nonceOfPage}
  >
    <Messages />
    <FailureBoundary fallback={(error) => <ConsoleFailure error={error} />}>
      <QueryClientProvider client={queries}>
        <GuardedRouter base="/console">
          <LoginGate>
            <Frame />
          </LoginGate>
        </GuardedRouter>
      </QueryClientProvider>
    </FailureBoundary>
  </MantineProvider>
)
