import { useEffect, useState } from 'react'
import { maxLogLines } from '#shared/log-line.ts'
import { readLine, type Line } from './line.ts'

/** The server's log as it comes in. */
export type ServerLog = {
  lines: readonly Line[]
  connection: 'connecting' | 'live' | 'lost' | 'ended'
  /** Lines that the connection was too slow for. */
  missed: number
}

/** Milliseconds for which new lines are collected before they are rendered together. */
const collectMs = 120

/** Follows the server's log; the browser reconnects by itself and resumes where it left off. */
export function useServerLog(): ServerLog {
  const [log, setLog] = useState<ServerLog>({ lines: [], connection: 'connecting', missed: 0 })
  useEffect(() => {
    let arrived: Line[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const set = (change: (now: ServerLog) => Partial<ServerLog>) =>
      setLog((now) => ({ ...now, ...change(now) }))
    const show = () => {
      const added = arrived
      arrived = []
      timer = undefined
      set(({ lines }) => ({ lines: [...lines, ...added].slice(-maxLogLines) }))
    }
    const source = new EventSource('/api/logs')
    const on = (name: string, take: (event: MessageEvent<string>) => void) =>
      source.addEventListener(name, take as EventListener)
    on('begin', ({ data }) => {
      const { resumes } = JSON.parse(data) as { resumes: boolean }
      if (!resumes) arrived = []
      set(() => ({ connection: 'live', ...(!resumes && { lines: [], missed: 0 }) }))
    })
    on('message', ({ data, lastEventId }) => {
      arrived.push(readLine(data, lastEventId))
      timer ??= setTimeout(show, collectMs)
    })
    on('missed', ({ data }) => set(({ missed }) => ({ missed: missed + Number(data) })))
    on('end', ({ data }) => {
      if ((JSON.parse(data) as { reason: string }).reason !== 'signed-out') return
      source.close()
      set(() => ({ connection: 'ended' }))
    })
    source.addEventListener('error', () =>
      set(() => ({ connection: source.readyState === EventSource.CLOSED ? 'ended' : 'lost' })),
    )
    return () => {
      source.close()
      clearTimeout(timer)
    }
  }, [])
  return log
}
