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
 * The client itself retries requests that are safe to repeat. Nothing is queued while offline: a save fails immediately
 * instead of happening unexpectedly an hour later.
 */
const queries = new ConsoleQueries({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { networkMode: 'always' },
  },
})

/** The nonce for the library's style elements, from the response's Content-Security-Policy. */
const nonceOfPage = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

declare global {
  var __webpack_nonce__: string | undefined
}
// The nonce for the style element that prevents scrolling behind dialogs (package `get-nonce` reads it here).
globalThis.__webpack_nonce__ = nonceOfPage()

/** Short messages. On phones, the page's buttons are at the bottom, so messages appear below the header. */
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
