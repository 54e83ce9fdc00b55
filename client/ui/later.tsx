import { useEffect, useState, type ComponentType } from 'react'

/**
 * A tool that most visitors of its page never see: its code and styles are loaded once the page is
 * there, and the server does not render it.
 * @param load imports the component
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return function Later(props: Props) {
    const [Tool, setTool] = useState<ComponentType<Props> | null>(null)
    const [failed, setFailed] = useState(false)
    useEffect(() => {
      load().then(
        (arrived) => setTool(() => arrived),
        () => setFailed(true),
      )
    }, [])
    if (Tool) return <Tool {...props} />
    return (
      <p role="status" className="wrap">
        {failed ? 'This part of the page could not be loaded. Please reload it.' : 'Loading...'}
      </p>
    )
  }
}
