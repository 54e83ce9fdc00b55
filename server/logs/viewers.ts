import type { ServerResponse } from 'node:http'
import { ipKeyGenerator } from 'express-rate-limit'
import type { LogRing } from '../log/ring.ts'
import { beginEvent, endEvent, eventsSince, heartbeat, placeOf } from './events.ts'

/** A connection that follows the log; `place` is how far it has got. */
type Viewer = {
  response: ServerResponse
  place: number
  allowed: () => boolean
  network: string
  /** Since when it has taken nothing; null while it takes. */
  stalledAt: number | null
}

/** How often viewers get what is new, and a heartbeat; milliseconds. */
const viewerPollMs = 100
const heartbeatMs = 15_000
/** Whether they may still look is asked this often. */
const recheckMs = 2_000
/** Viewers at once, in all and of one network. */
const mostViewers = 50
const mostViewersOfNetwork = 10
/** Milliseconds after which a viewer that takes nothing gives up its place. */
const stalledMs = 60_000

/** The connections that follow the log. */
export type LogViewers = ReturnType<typeof createViewers>

/**
 * Sends the log to viewers as server-sent events. One timer serves them all, and only while there
 * are any; what is new is put into words once. A viewer whose connection is full gets nothing more
 * until it has drained, and then gets the number of lines it has missed meanwhile; one that takes
 * nothing for a minute is cut off, and may come back.
 */
export function createViewers(ring: LogRing, { clock }: { clock: () => number }) {
  const viewers = new Set<Viewer>()
  let timer: ReturnType<typeof setInterval> | null = null
  let ended = false
  let beats = 0

  const leave = (viewer: Viewer) => {
    viewers.delete(viewer)
    if (viewers.size === 0 && timer) {
      clearInterval(timer)
      timer = null
    }
  }
  const end = (viewer: Viewer, reason: string) => {
    leave(viewer)
    viewer.response.end(endEvent(reason))
  }
  /** Sends a viewer what is new, or now and then a heartbeat, unless its connection is full. */
  const follow = (viewer: Viewer, texts: Map<number, string>) => {
    if (viewer.response.writableNeedDrain) {
      viewer.stalledAt ??= clock()
      if (clock() - viewer.stalledAt >= stalledMs) viewer.response.destroy()
      return
    }
    viewer.stalledAt = null
    if (viewer.place < ring.end()) {
      let text = texts.get(viewer.place)
      if (text === undefined) texts.set(viewer.place, (text = eventsSince(ring, viewer.place)))
      viewer.place = ring.end()
      viewer.response.write(text)
    } else if (beats % (heartbeatMs / viewerPollMs) === 0) viewer.response.write(heartbeat)
  }
  const beat = () => {
    beats += 1
    const texts = new Map<number, string>()
    for (const viewer of viewers) {
      const reason = beats % (recheckMs / viewerPollMs) === 0 ? reasonToEnd(viewer) : null
      if (reason !== null) end(viewer, reason)
      else follow(viewer, texts)
    }
  }

  return {
    /** Whether there is room for another viewer from an address. */
    hasRoom(address: string): boolean {
      const network = networkOf(address)
      const own = Array.from(viewers).filter((viewer) => viewer.network === network).length
      return !ended && viewers.size < mostViewers && own < mostViewersOfNetwork
    },

    /**
     * Begins to send to a viewer: first what is kept, or what is new since the last event that it
     * had from this process.
     * @param allowed asked now and then whether it may still look
     */
    add(
      response: ServerResponse,
      {
        address,
        lastId,
        allowed,
      }: { address: string; lastId: string | undefined; allowed: () => boolean },
    ): void {
      const viewer = beginViewer(ring, lastId, {
        response,
        allowed,
        network: networkOf(address),
        stalledAt: null,
      })
      viewers.add(viewer)
      response.once('close', () => leave(viewer))
      // A connection reset is no error of the server.
      response.on('error', () => leave(viewer))
      timer ??= setInterval(beat, viewerPollMs).unref()
    },

    /** Lets all viewers go, so that the server can stop at once; they come back by themselves. */
    end(): void {
      ended = true
      for (const viewer of viewers) end(viewer, 'restart')
    },
  }
}

/** Sends what a viewer gets first, after which it is at the end of the log. */
function beginViewer(
  ring: LogRing,
  lastId: string | undefined,
  viewer: Omit<Viewer, 'place'>,
): Viewer {
  const known = placeOf(ring, lastId)
  // A viewer that begins has missed nothing, and one of another process starts anew.
  const place = known ?? Math.max(0, ring.since(0).from)
  const text = place < ring.end() ? eventsSince(ring, place) : ''
  viewer.response.write(beginEvent(known !== null) + text)
  return { ...viewer, place: ring.end() }
}

/** Why a viewer may look no longer; null while it may. */
function reasonToEnd({ allowed }: Viewer): string | null {
  try {
    return allowed() ? null : 'signed-out'
  } catch {
    // The database cannot be read now; a viewer that comes back is checked again. An exception in a
    // timer would end the process.
    return 'restart'
  }
}

/** Who shares a share: an address, of IPv6 its /56. */
const networkOf = (address: string): string => ipKeyGenerator(address, 56)
