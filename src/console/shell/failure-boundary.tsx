import { Component, type ReactNode } from 'react'
import { asError } from '#shared/errors/as-error'

interface FailureBoundaryProps {
  /** The page that is shown: after a failure, another page is tried. */
  place?: string
  fallback: (error: Error) => ReactNode
  children: ReactNode
}

/** Shows something else in place of its children when one of them cannot be loaded or rendered. */
export class FailureBoundary extends Component<FailureBoundaryProps, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: asError(error) }
  }

  override componentDidUpdate(before: FailureBoundaryProps): void {
    if (before.place !== this.props.place && this.state.error !== undefined) {
      this.setState({ error: undefined })
    }
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : this.props.fallback(this.state.error)
  }
}
