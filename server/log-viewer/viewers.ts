import type { ServerResponse } from 'node:http'
import { ipKeyGenerator } from 'express-rate-limit'
import type { RecentLog } from '../logging/recent-log.ts'

/** Milliseconds between two batches of lines, heartbeats and checks of a viewer's rights. */
const sendMs = 100
const heartbeatMs = 15_000
const recheckMs = 2_000
/** Milliseconds after which a viewer that stopped reading is disconnected. */
const stalledMs = 60_000
/** Connections at once: in all, and per network (IPv6: per /56). */
const maxViewers = 50
const maxViewersPerNetwork = 10

/** The connections that follow the log. */
export type LogViewers = ReturnType<typeof createViewers>

/**
 * Streams the log as server-sent events (WHATWG HTML, 9.2). A viewer whose connection is full gets
 * nothing until it has drained, and then a line that says how many it missed.
 */
export function createViewers(log: RecentLog, { clock }: { clock: () => number }) {
  const viewers = new Map<ServerResponse, { network: string; tick(): void; end(): void }>()
  let isClosed = false

  return {
    /** Whether there is room for another viewer from an address. */
    hasRoom(address: string): boolean {
      const own = [...viewers.values()].filter(({ network }) => network === networkOf(address))
      return !isClosed && viewers.size < maxViewers && own.length < maxViewersPerNetwork
    },

    /**
     * Starts streaming: everything buffered, or what is new since the viewer's last event.
     * @param options `lastId` of that event; `isAllowed` is asked again from time to time
     */
    add(
      response: ServerResponse,
      {
        address,
        lastId,
        isAllowed,
      }: { address: string; lastId: string | undefined; isAllowed: () => boolean },
    ): void {
      let place = placeIn(log, lastId) ?? log.since(0).from
      let stalledAt: number | null = null
      let ticks = 0
      const tick = () => {
        ticks += 1
        if (isDue(ticks, recheckMs) && !mayStay(isAllowed)) return end()
        if (response.writableNeedDrain) {
          stalledAt ??= clock()
          if (clock() - stalledAt >= stalledMs) response.destroy()
          return
        }
        stalledAt = null
        if (place < log.end()) send()
        else if (isDue(ticks, heartbeatMs)) response.write(': \n\n')
      }
      const send = () => {
        const { lines, next, missed } = log.since(place)
        const sent = missed > 0 ? [missedLine(missed, clock()), ...lines] : lines
        const data = sent.map((line) => `data: ${line}\n`).join('')
        response.write(`id: ${log.boot}-${next}\n${data}\n`)
        place = next
      }
      const timer = setInterval(tick, sendMs).unref()
      const leave = () => {
        clearInterval(timer)
        viewers.delete(response)
      }
      const end = () => {
        leave()
        response.end()
      }
      viewers.set(response, { network: networkOf(address), tick, end })
      response.once('close', leave)
      response.on('error', leave)
      response.write('retry: 2000\n\n')
      if (place < log.end()) send()
    },

    /** Ends all connections so the server can stop; browsers reconnect by themselves. */
    close(): void {
      isClosed = true
      for (const { tick, end } of viewers.values()) {
        // Why it stops is among the last lines.
        tick()
        end()
      }
    },
  }
}

const isDue = (ticks: number, everyMs: number) => ticks % (everyMs / sendMs) === 0

/** Marks where lines are missing, since a viewer was away or too slow for them. */
const missedLine = (missed: number, now: number) =>
  JSON.stringify({
    level: 'warn',
    time: new Date(now).toISOString(),
    msg: `${missed} ${missed === 1 ? 'line is' : 'lines are'} missing here: more came than this connection took`,
  })

/** The place in an event's id; null if the event came from another process. */
function placeIn(log: RecentLog, lastId: string | undefined): number | null {
  const [boot, place] = lastId?.split('-') ?? []
  return boot === log.boot && /^\d{1,15}$/.test(place ?? '') ? Number(place) : null
}

function mayStay(isAllowed: () => boolean): boolean {
  try {
    return isAllowed()
  } catch {
    // The database can't be read right now, and an exception in a timer would end the process. A
    // viewer that reconnects is checked again.
    return false
  }
}

const networkOf = (address: string): string => ipKeyGenerator(address, 56)
