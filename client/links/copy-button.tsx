import { useEffect, useState } from 'react'

/** Copies a text; says so for a moment. */
export function CopyButton({
  text,
  className,
  label = 'Copy',
  about,
}: {
  text: string
  className?: string | undefined
  label?: string
  /** What is copied, for those who do not see the row. */
  about?: string
}) {
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => {
    if (said === null) return undefined
    const timer = setTimeout(() => setSaid(null), 2000)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      // Not allowed, or not over https: then it can be copied by hand.
      prompt('Copy this:', text)
    }
  }
  return (
    <button type="button" className={className} onClick={() => void copy()}>
      <span aria-live="polite">{said ?? label}</span>
      {about && <span className="unseen"> {about}</span>}
    </button>
  )
}
