import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ServiceError } from './service/service-error'
import { ConsoleFailure } from './shell/failure'
import { FailureBoundary } from './shell/failure-boundary'
import { Gate } from './shell/gate'
import { GuardedRouter } from './shell/leave-guard'
import { Shell } from './shell/shell'
import { cssVariables, theme } from './theme'

/** What a second try may mend: a service out of reach, or one that says so itself. */
const isPassing = (error: Error): boolean =>
  !(error instanceof ServiceError) || error.status === 0 || error.status === 503

const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: (failures, error) => failures < 2 && isPassing(error), staleTime: 10_000 },
  },
})

/** The library's own style elements carry the nonce that the answer's Content-Security-Policy names. */
const nonceOfPage = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

declare global {
  var __webpack_nonce__: string | undefined
}
// Where the style element that keeps the page from scrolling behind a dialog looks for it (package `get-nonce`).
globalThis.__webpack_nonce__ = nonceOfPage()

export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={nonceOfPage}
  >
    <FailureBoundary fallback={(error) => <ConsoleFailure error={error} />}>
      <QueryClientProvider client={queries}>
        <GuardedRouter base="/console">
          <Gate>
            <Shell />
          </Gate>
        </GuardedRouter>
      </QueryClientProvider>
    </FailureBoundary>
  </MantineProvider>
)
