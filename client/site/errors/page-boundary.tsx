import { Component, type ReactNode } from 'react'
import { DeferredContext } from '../deferred.tsx'

/** The global error boundary: catches a page that breaks while it is shown. */
export class PageBoundary extends Component<{ children: ReactNode }, { broken: string | null }> {
  override state = { broken: null as string | null }

  static getDerivedStateFromError(error: unknown) {
    return { broken: error instanceof Error ? error.message : 'An unknown error occurred' }
  }

  override render() {
    const { broken } = this.state
    if (broken === null) return this.props.children
    const retry = () => this.setState({ broken: null })
    return (
      <DeferredContext.Consumer>
        {(code) => code && <code.BrokenScreen message={broken} retry={retry} />}
      </DeferredContext.Consumer>
    )
  }
}
