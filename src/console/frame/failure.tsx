import { Component, type ReactNode } from 'react'
import { asError } from '#shared/errors/errors'
import { Page } from '../widgets/page'
import { Problem } from '../widgets/problem'
import { LoginScreen } from './login-screen'

/** A file of the console could not be loaded. After a deployment, an open page's files no longer exist. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super('The console may have been updated since you opened it, or you may be offline.', { cause })
    this.name = 'PartMissing'
  }
}

const TITLE = 'This page could not be loaded'

/** Says what failed, and offers to reload: the new page loads the files of the current deployment. */
const Failure = ({ error }: { error: Error }) => (
  <Problem
    title={error instanceof PartMissing ? 'A part of the console is missing' : 'There is an error in the console'}
    error={error}
    action="Reload"
    onRetry={() => location.reload()}
  />
)

/** Replaces a page; the navigation is still available. */
export const PageFailure = ({ error }: { error: Error }) => (
  <Page title={TITLE}>
    <Failure error={error} />
  </Page>
)

/** Replaces the whole console. */
export const ConsoleFailure = ({ error }: { error: Error }) => (
  <LoginScreen title={TITLE}>
    <Failure error={error} />
  </LoginScreen>
)

interface FailureBoundaryProps {
  /** The current page. After a failure, navigating to another page retries. */
  location?: string
  fallback: (error: Error) => ReactNode
  children: ReactNode
}

/** Shows a fallback if one of its children cannot be loaded or rendered. */
export class FailureBoundary extends Component<FailureBoundaryProps, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: asError(error) }
  }

  override componentDidUpdate(before: FailureBoundaryProps): void {
    if (before.location !== this.props.location && this.state.error !== undefined) {
      this.setState({ error: undefined })
    }
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : this.props.fallback(this.state.error)
  }
}
