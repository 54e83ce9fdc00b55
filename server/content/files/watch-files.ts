import type { Logger } from 'pino'
import { library } from '../../library.ts'

const chokidar = library('chokidar')

/** Milliseconds for which a burst of changes is collected. */
const settleMs = 50

/**
 * Watches a folder recursively, even one that doesn't exist yet. Doesn't keep the process alive. For
 * file systems without change events, such as some network mounts, set CHOKIDAR_USEPOLLING=1.
 * @param options `changed` gets the paths below `dir` that may have changed, in batches
 * @returns `ready` resolves once no later change is missed
 */
export function watchFiles(
  dir: string,
  { log, changed }: { log: Pick<Logger, 'warn'>; changed: (paths: ReadonlySet<string>) => void },
): { ready: Promise<void>; stop(): Promise<void> } {
  let pending = new Set<string>()
  let settling: NodeJS.Timeout | undefined
  const watcher = chokidar().watch('.', { cwd: dir, persistent: false, ignoreInitial: true })
  watcher.on('all', (_event, path) => {
    pending.add(path)
    settling ??= setTimeout(() => {
      settling = undefined
      const paths = pending
      pending = new Set()
      changed(paths)
    }, settleMs).unref()
  })
  watcher.on('error', (err) => log.warn({ err, folder: dir }, 'cannot watch the content folder'))
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
