import { useEffect, useState } from 'react'
import { mostLogLines } from '#shared/log-levels.ts'
import { readLine, type Line } from './line.ts'

/** How the connection to the server is. */
export type LogConnection = 'connecting' | 'live' | 'lost' | 'ended'

/** The server's log as it comes in. */
export type ServerLog = {
  lines: readonly Line[]
  connection: LogConnection
  /** Lines that the connection was too slow for. */
  missed: number
}

/** How often what came in is shown, in milliseconds. */
const pace = 120

/**
 * Follows the server's log while the viewer is there; a lost connection comes back by itself and goes
 * on where it broke off.
 * @param allowed false for visitors who may not read it
 */
export function useServerLog(allowed: boolean): ServerLog {
  const [log, setLog] = useState<ServerLog>({ lines: [], connection: 'connecting', missed: 0 })
  useEffect(() => {
    if (!allowed) return undefined
    let waiting: Line[] = []
    let missed = 0
    let fromStart = false
    let timer: ReturnType<typeof setTimeout> | null = null
    const show = () => {
      timer = null
      const [arrived, lost, anew] = [waiting, missed, fromStart]
      waiting = []
      missed = 0
      fromStart = false
      setLog(({ lines, connection, missed: before }) => ({
        connection,
        missed: (anew ? 0 : before) + lost,
        lines: [...(anew ? [] : lines), ...arrived].slice(-mostLogLines),
      }))
    }
    const later = () => {
      timer ??= setTimeout(show, pace)
    }
    const connect = (connection: LogConnection) => setLog((now) => ({ ...now, connection }))
    const source = new EventSource('/api/logs')
    source.addEventListener('begin', ({ data }: MessageEvent<string>) => {
      connect('live')
      const { resumes } = JSON.parse(data) as { resumes: boolean }
      if (resumes) return
      waiting = []
      fromStart = true
      later()
    })
    source.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
      waiting.push(readLine(data, lastEventId))
      later()
    })
    source.addEventListener('missed', ({ data }: MessageEvent<string>) => {
      missed += Number(data)
      later()
    })
    source.addEventListener('end', ({ data }: MessageEvent<string>) => {
      const { reason } = JSON.parse(data) as { reason: string }
      if (reason === 'signed-out') {
        source.close()
        connect('ended')
      }
    })
    source.addEventListener('error', () =>
      connect(source.readyState === EventSource.CLOSED ? 'ended' : 'lost'),
    )
    return () => {
      source.close()
      if (timer) clearTimeout(timer)
    }
  }, [allowed])
  return log
}
