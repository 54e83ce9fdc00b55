import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { WriteLines } from './ring.ts'

/** Log files that are written in the background. */
export type LogFiles = {
  /** Takes one line or several, each with its line break. */
  write: WriteLines
  /** Writes at once what waits; for the end of the process. */
  flushSync(): void
  /** Resolves when everything so far is in the file, or could not be written. */
  settled(): Promise<void>
}

/** The newest file; older ones have a number, 1 being the one before. */
const name = 'pitlane.log'
const numbered = (number: number) => (number === 0 ? name : `pitlane.${number}.log`)

/** Bytes that may wait for a slow disk; beyond, lines are left out and counted. */
const mostWaiting = 4 * 1024 * 1024
/** Bytes that are appended at once, before the delay is over. */
const flushBytes = 512 * 1024
/** How long lines wait for others to be written with, and how long a failed disk is left alone; milliseconds. */
const flushDelayMs = 500
const restMs = 10_000

/**
 * Keeps log files in a directory: when the newest has reached its size it gets a number, and the
 * oldest is removed. Requests never wait for the disk: lines are collected and appended in turn; a
 * disk that fails or cannot keep up costs lines, of which the file says how many.
 * @param options `maxBytes` of one file; `keep` files in all
 */
export function createLogFiles(
  directory: string,
  { maxBytes = 10 * 1024 * 1024, keep = 5 }: { maxBytes?: number; keep?: number } = {},
): LogFiles {
  const waiting = createBacklog()
  const file = createNumberedFile(directory, { maxBytes, keep })
  let timer: ReturnType<typeof setTimeout> | null = null
  let turn: Promise<void> | null = null
  let isResting = false

  /** Appends what waits; says how long to leave the disk alone. */
  const attempt = async (): Promise<number> => {
    try {
      await file.append(waiting.next)
      isResting = false
      return flushDelayMs
    } catch {
      // A failure of the log cannot be logged.
      await file.close()
      isResting = true
      return restMs
    }
  }
  const run = () => {
    if (timer) clearTimeout(timer)
    timer = null
    turn ??= (async () => {
      const pause = await attempt()
      turn = null
      if (!waiting.isEmpty()) timer ??= setTimeout(run, pause).unref()
    })()
  }

  return {
    write(lines, done) {
      if (!waiting.add({ lines, done })) return
      if (waiting.size() >= flushBytes && !isResting) run()
      else timer ??= setTimeout(run, flushDelayMs).unref()
    },
    flushSync() {
      void file.close()
      if (timer) clearTimeout(timer)
      timer = null
      const left: Buffer[] = []
      for (let entry = waiting.next(); entry; entry = waiting.next()) left.push(entry.lines)
      if (left.length > 0) file.appendSync(Buffer.concat(left))
    },
    async settled() {
      await turn
      run()
      await turn
    },
  }
}

/** Lines that wait, and what is called when their bytes are no longer needed. */
type Entry = { lines: Buffer; done(): void }

/** Collects lines for a disk that is slower than they come. */
function createBacklog() {
  const waiting: Entry[] = []
  let size = 0
  let left = 0
  return {
    isEmpty: () => waiting.length === 0 && left === 0,
    /** Bytes that wait. */
    size: () => size,
    /** @returns false when there is no room, so that they are only counted */
    add(entry: Entry): boolean {
      const { lines, done } = entry
      if (size > mostWaiting) {
        left += lines.toString('latin1').split('\n').length - 1
        done()
        return false
      }
      waiting.push(entry)
      size += lines.length
      return true
    },
    /** Takes what waits, one after the other, and at last a line about what had no room. */
    next(): Entry | undefined {
      const entry = waiting.shift()
      if (entry) {
        size -= entry.lines.length
        return entry
      }
      if (left === 0) return undefined
      const note = { level: 'warn', time: new Date().toISOString(), lines: left }
      const msg = 'lines are missing here: the disk did not keep up'
      left = 0
      return { lines: Buffer.from(`${JSON.stringify({ ...note, msg })}\n`), done() {} }
    },
  }
}

/** Appends to the newest file, and numbers it when it is full. */
function createNumberedFile(
  directory: string,
  { maxBytes, keep }: { maxBytes: number; keep: number },
) {
  const path = (number: number) => join(directory, numbered(number))
  let file: FileHandle | null = null
  let written = 0

  const close = async (): Promise<void> => {
    const handle = file
    file = null
    await handle?.close().catch(() => {})
  }
  const rotate = async (): Promise<void> => {
    await close()
    await rm(path(keep - 1), { force: true })
    for (let number = keep - 2; number >= 0; number -= 1) {
      await rename(path(number), path(number + 1)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    }
  }

  return {
    close,
    /** @param next gives the lines, asked only once the file is open; what it does not give yet is not lost */
    async append(next: () => Entry | undefined): Promise<void> {
      if (!file) {
        mkdirSync(directory, { recursive: true })
        file = await open(path(0), 'a', 0o640)
        written = (await file.stat()).size
      }
      for (let entry = next(); entry; entry = next()) {
        try {
          await file.appendFile(entry.lines)
          written += entry.lines.length
        } finally {
          entry.done()
        }
      }
      if (written >= maxBytes) await rotate()
    },
    /** For the end of the process, which has nowhere left to say that the disk failed. */
    appendSync(bytes: Buffer): void {
      try {
        mkdirSync(directory, { recursive: true })
        const handle = openSync(path(0), 'a', 0o640)
        writeSync(handle, bytes)
        closeSync(handle)
      } catch {
        // The lines are lost with the disk.
      }
    },
  }
}
