import { useEffect, useState } from 'react'
import { isWaiting, outboxChanged } from './outbox.ts'
import { outboxKey } from './outbox-key.ts'

/** Whether the message of a ticket still waits in the outbox. */
export function useUnsent(ticketId: string | null): boolean {
  const [unsent, setUnsent] = useState(false)
  useEffect(() => {
    const look = () => setUnsent(ticketId !== null && isWaiting(ticketId))
    look()
    const { signal, abort } = listening()
    addEventListener(outboxChanged, look, { signal })
    addEventListener('storage', ({ key }) => key === outboxKey && look(), { signal })
    return abort
  }, [ticketId])
  return unsent
}

function listening() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
