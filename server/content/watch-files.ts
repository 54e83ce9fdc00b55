import { watch, type FSWatcher } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Logger } from 'pino'

/** How long a burst of changes is collected, in milliseconds. */
const settleMs = 50

/**
 * Watches a folder and everything below, one watch per folder (a recursive one takes one per file
 * on Linux), and looks at some files by the clock too, since not every file system reports changes.
 * Never keeps the process alive.
 * @param options `polled` names the files, relative to `dir`, that are looked at every `pollMs`;
 *   `changed` gets the relative paths that may have changed, a moment after they did
 * @returns `ready` settles when no later change is missed; `stop` lets go
 */
export function watchFiles(
  dir: string,
  {
    log,
    polled,
    changed,
    pollMs = 2_000,
  }: {
    log: Pick<Logger, 'warn'>
    polled: () => Iterable<string>
    changed: (paths: ReadonlySet<string>) => void
    pollMs?: number
  },
): { ready: Promise<void>; stop(): void } {
  const watchers = new Map<string, FSWatcher>()
  const seen = new Map<string, string>()
  let pending = new Set<string>()
  let settling: NodeJS.Timeout | undefined
  let stopped = false

  const report = (path: string) => {
    pending.add(path)
    settling ??= setTimeout(() => {
      settling = undefined
      const paths = pending
      pending = new Set()
      changed(paths)
    }, settleMs).unref()
  }

  const drop = (folder: string) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  const watchFolder = (folder: string) => {
    if (stopped || watchers.has(folder)) return
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => {
        if (name === null) return
        const path = join(folder, name)
        report(relative(dir, path))
        if (event === 'rename') void watchTree(path)
      })
      watcher.on('error', () => drop(folder))
      watchers.set(folder, watcher)
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'ENOENT') {
        log.warn({ err, folder }, 'content folder cannot be watched; it is looked at by the clock')
      }
    }
  }

  /** Watches a folder and those below; a path that is none, or is gone, is left alone. */
  async function watchTree(folder: string): Promise<void> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
      () => null,
    )
    if (entries === null) return drop(folder)
    watchFolder(folder)
    for (const entry of entries) {
      if (entry.isDirectory()) watchFolder(join(entry.parentPath, entry.name))
    }
  }

  async function poll(): Promise<void> {
    if (!watchers.has(dir)) await watchTree(dir)
    for (const path of polled()) {
      const found = await stat(join(dir, path)).catch(() => null)
      const now = found ? `${found.mtimeMs}:${found.size}:${found.ino}` : 'absent'
      const before = seen.get(path)
      seen.set(path, now)
      if (before !== undefined && before !== now) report(path)
    }
  }

  const ready = poll()
  let polling = false
  const timer = setInterval(() => {
    if (polling) return
    polling = true
    void poll().finally(() => (polling = false))
  }, pollMs).unref()

  return {
    ready,
    stop() {
      stopped = true
      clearInterval(timer)
      clearTimeout(settling)
      for (const folder of watchers.keys()) drop(folder)
    },
  }
}
