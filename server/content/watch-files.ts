import { watch } from 'chokidar'
import type { Logger } from 'pino'

/** How long a burst of changes is collected, in milliseconds. */
const settleMs = 50

/**
 * Watches a folder and everything below, also when it is not there yet. Never keeps the process
 * alive. File systems that report no changes, such as some network mounts, are watched by the clock
 * with CHOKIDAR_USEPOLLING=1 in the environment.
 * @param options `changed` gets the paths below `dir` that may have changed, a moment after they did
 * @returns `ready` settles when no later change is missed; `stop` lets go
 */
export function watchFiles(
  dir: string,
  { log, changed }: { log: Pick<Logger, 'warn'>; changed: (paths: ReadonlySet<string>) => void },
): { ready: Promise<void>; stop(): Promise<void> } {
  let pending = new Set<string>()
  let settling: NodeJS.Timeout | undefined
  const watcher = watch('.', { cwd: dir, persistent: false, ignoreInitial: true })
  watcher.on('all', (_event, path) => {
    pending.add(path)
    settling ??= setTimeout(() => {
      settling = undefined
      const paths = pending
      pending = new Set()
      changed(paths)
    }, settleMs).unref()
  })
  watcher.on('error', (err) => log.warn({ err, folder: dir }, 'content folder cannot be watched'))
  return {
    ready: new Promise((resolve) => {
      watcher.once('ready', () => resolve())
    }),
    async stop() {
      clearTimeout(settling)
      await watcher.close()
    },
  }
}
