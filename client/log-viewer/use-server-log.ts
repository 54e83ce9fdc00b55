import { useEffect, useState } from 'react'
import { maxLogLines } from '#shared/log-line.ts'
import { readLine, type Line } from './lines.ts'

type ServerLog = {
  lines: readonly Line[]
  connection: 'connecting' | 'live' | 'lost' | 'ended'
  /** Lines that the connection was too slow for. */
  missed: number
}

const nothing: ServerLog = { lines: [], connection: 'connecting', missed: 0 }

/** Milliseconds for which changes are collected before they are rendered together. */
const collectMs = 120

/** Follows the server's log; the browser reconnects by itself and resumes where it left off. */
export function useServerLog(): ServerLog {
  const [shown, setShown] = useState(nothing)
  useEffect(() => {
    let log = nothing
    let timer: ReturnType<typeof setTimeout> | undefined
    const change = (what: Partial<ServerLog>) => {
      log = { ...log, ...what }
      timer ??= setTimeout(() => {
        timer = undefined
        setShown(log)
      }, collectMs)
    }
    const source = new EventSource('/api/logs')
    const on = (name: string, take: (event: MessageEvent<string>) => void) =>
      source.addEventListener(name, take as EventListener)
    on('begin', ({ data }) => {
      const { resumes } = JSON.parse(data) as { resumes: boolean }
      change({ ...(resumes ? log : nothing), connection: 'live' })
    })
    on('message', ({ data, lastEventId }) =>
      change({ lines: [...log.lines.slice(1 - maxLogLines), readLine(data, lastEventId)] }),
    )
    on('missed', ({ data }) => change({ missed: log.missed + Number(data) }))
    on('end', ({ data }) => {
      if ((JSON.parse(data) as { reason: string }).reason !== 'signed-out') return
      source.close()
      change({ connection: 'ended' })
    })
    source.addEventListener('error', () =>
      change({ connection: source.readyState === EventSource.CLOSED ? 'ended' : 'lost' }),
    )
    return () => {
      source.close()
      clearTimeout(timer)
    }
  }, [])
  return shown
}
