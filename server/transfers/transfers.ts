import { ipKeyGenerator } from 'express-rate-limit'
import { minuteMs } from '#shared/dates/durations.ts'

/** One long download that has a place. */
export type Transfer = {
  /** From now on the server waits for the reader. */
  waits(): void
  /** The reader has taken so many bytes. */
  took(bytes: number): void
  /** Gives the place back; twice is harmless. */
  end(): void
}

/** What is sent; a ServerResponse. */
type Reply = { destroy(): unknown }

/** Places for long downloads. */
export type Transfers = {
  /**
   * Takes a place.
   * @param address of the client
   * @param response destroyed when its reader is too slow
   * @returns null when there is no place for this address now
   */
  begin(address: string, response: Reply): Transfer | null
}

/** What a reader must take at least in a minute of being waited for: 17 kB/s, a poor mobile network. */
const leastBytes = 1024 * 1024
/** How often readers are looked at, in milliseconds. */
const checkIntervalMs = 1000

type Running = {
  network: string
  response: Reply
  /** Since when its reader is waited for; null while the server reads the disk. */
  waitingSince: number | null
  /** Of this window: milliseconds of waiting, and bytes that were taken. */
  waited: number
  bytes: number
}

/**
 * Makes places for long downloads and keeps them fair. A network (an address, of IPv6 its /56) gets
 * another place only while the rest leaves several free, so a few networks never hold them all.
 * A reader that takes less than 1 MiB in a minute of waiting loses its place and its connection; it
 * may go on with a Range. The time that the disk takes is not its fault.
 * @param options `most` places in all, `each` for one network at the very most
 */
export function createTransfers({
  max,
  each,
  clock,
}: {
  max: number
  each: number
  clock: () => number
}): Transfers {
  const running = new Set<Running>()
  /** Places that stay free for others, for each place that a network has. */
  const spare = max / each
  let timer: NodeJS.Timeout | null = null

  const leave = (transfer: Running) => {
    running.delete(transfer)
    if (running.size > 0 || !timer) return
    clearInterval(timer)
    timer = null
  }
  const look = () => {
    for (const transfer of running) {
      const waiting = transfer.waitingSince === null ? 0 : clock() - transfer.waitingSince
      if (transfer.waited + waiting < minuteMs) continue
      if (transfer.bytes < leastBytes) {
        leave(transfer)
        transfer.response.destroy()
      } else {
        transfer.waited = 0
        transfer.bytes = 0
        if (transfer.waitingSince !== null) transfer.waitingSince = clock()
      }
    }
  }

  return {
    begin(address, response) {
      const network = ipKeyGenerator(address, 56)
      const own = Array.from(running).filter((one) => one.network === network).length
      if (own >= each || running.size >= max - Math.floor(own * spare)) return null
      const transfer: Running = { network, response, waitingSince: null, waited: 0, bytes: 0 }
      running.add(transfer)
      timer ??= setInterval(look, checkIntervalMs).unref()
      return {
        waits: () => void (transfer.waitingSince = clock()),
        took(bytes) {
          if (transfer.waitingSince !== null) transfer.waited += clock() - transfer.waitingSince
          transfer.waitingSince = null
          transfer.bytes += bytes
        },
        end: () => leave(transfer),
      }
    },
  }
}
