import { Component, type ReactNode } from 'react'
import { retryFailedScreens } from '../lib/lazy-screen.tsx'
import { FailureScreen } from './failure-screen.tsx'

interface State {
  error: unknown
  hasFailed: boolean
}

/** Keeps the bars usable when a screen throws. */
export class ErrorBoundary extends Component<{ pathname: string; children: ReactNode }, State> {
  override state: State = { error: null, hasFailed: false }

  static getDerivedStateFromError(error: unknown): State {
    return { error, hasFailed: true }
  }

  override componentDidUpdate(before: { pathname: string }) {
    if (before.pathname !== this.props.pathname && this.state.hasFailed) this.tryAgain()
  }

  tryAgain = () => {
    retryFailedScreens()
    this.setState({ error: null, hasFailed: false })
  }

  override render() {
    const { error, hasFailed } = this.state
    return hasFailed ? <FailureScreen error={error} onRetry={this.tryAgain} /> : this.props.children
  }
}
