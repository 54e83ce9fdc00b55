import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

/** Log files that are written in the background. */
export type LogFiles = {
  /** Takes one line or several, each with its line break. */
  write(lines: Buffer): void
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
/** How long lines wait for company, and how long a failed disk is left alone; milliseconds. */
const delay = 500
const rest = 10_000

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
  const path = (number: number) => join(directory, numbered(number))
  let waiting: Buffer[] = []
  let size = 0
  let left = 0
  let timer: ReturnType<typeof setTimeout> | null = null
  let turn: Promise<void> | null = null
  let file: FileHandle | null = null
  let written = 0

  const take = (): Buffer[] => {
    const taken = waiting
    waiting = []
    size = 0
    if (left > 0) {
      const note = { level: 'warn', time: new Date().toISOString(), lines: left }
      const msg = 'lines are missing here: the disk did not keep up'
      taken.push(Buffer.from(`${JSON.stringify({ ...note, msg })}\n`))
      left = 0
    }
    return taken
  }
  const rotate = async () => {
    await file?.close()
    file = null
    await rm(path(keep - 1), { force: true })
    for (let number = keep - 2; number >= 0; number -= 1) {
      await rename(path(number), path(number + 1)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    }
  }
  const append = async () => {
    if (!file) {
      mkdirSync(directory, { recursive: true })
      file = await open(path(0), 'a', 0o640)
      written = (await file.stat()).size
    }
    for (const bytes of take()) {
      await file.appendFile(bytes)
      written += bytes.length
    }
    if (written >= maxBytes) await rotate()
  }
  /** Appends what waits; says how long to leave the disk alone. */
  const attempt = async (): Promise<number> => {
    try {
      await append()
      return delay
    } catch {
      // Nobody could read a complaint about the log in the log.
      await file?.close().catch(() => {})
      file = null
      return rest
    }
  }
  const run = () => {
    timer = null
    turn ??= (async () => {
      const pause = await attempt()
      turn = null
      if (waiting.length > 0 || left > 0) timer ??= setTimeout(run, pause).unref()
    })()
  }

  return {
    write(lines) {
      if (size > mostWaiting) {
        left += lines.toString('latin1').split('\n').length - 1
        return
      }
      waiting.push(lines)
      size += lines.length
      timer ??= setTimeout(run, delay).unref()
    },
    flushSync() {
      void file?.close().catch(() => {})
      file = null
      if (timer) clearTimeout(timer)
      timer = null
      const lines = Buffer.concat(take())
      if (lines.length === 0) return
      try {
        mkdirSync(directory, { recursive: true })
        const handle = openSync(path(0), 'a', 0o640)
        writeSync(handle, lines)
        closeSync(handle)
      } catch {
        // The process ends; there is nowhere left to say so.
      }
    },
    async settled() {
      await turn
      if (timer) clearTimeout(timer)
      run()
      await turn
    },
  }
}
