import { Page } from '../widgets/page'
import { Problem } from '../widgets/problem'
import { LoginScreen } from './login-screen'

/** A file of the console could not be had. After a deployment the files of an open page are gone. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super('The console may have been updated since you opened it, or your connection is down.', { cause })
    this.name = 'PartMissing'
  }
}

const TITLE = 'This page could not be loaded'

/** The browser never takes the page itself from its cache. Loaded again, it names the files that there are. */
const Failure = ({ error }: { error: Error }) => (
  <Problem
    title={
      error instanceof PartMissing ? 'A part of the console is missing' : 'There is an error in the console'
    }
    error={error}
    action="Reload"
    onRetry={() => location.reload()}
  />
)

/** In place of a page; the navigation is still there. */
export const PageFailure = ({ error }: { error: Error }) => (
  <Page title={TITLE}>
    <Failure error={error} />
  </Page>
)

/** In place of everything. */
export const ConsoleFailure = ({ error }: { error: Error }) => (
  <LoginScreen title={TITLE}>
    <Failure error={error} />
  </LoginScreen>
)
