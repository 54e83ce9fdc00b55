import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The server as a process of its own, for tests of dying and of signals. */
export type ServerProcess = AsyncDisposable & {
  readonly url: string
  /** Ends it at once, as a crash does. */
  kill(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts a program that serves the site and logs its port, as `server/main.ts` does.
 * @param script path below the project's directory
 */
export async function startProcess(
  script: string,
  env: Record<string, string>,
): Promise<ServerProcess> {
  const root = join(import.meta.dirname, '../..')
  // As `npm start` does: a second start on the same state takes half the time.
  const args = ['--import', join(root, 'server/compile-cache.js'), join(root, script)]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await portOf(child)
  const kill = (signal: NodeJS.Signals = 'SIGKILL') =>
    new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
      child.once('exit', (code) => resolve(code))
      child.kill(signal)
    })
  return {
    url: `http://127.0.0.1:${port}`,
    kill,
    async [Symbol.asyncDispose]() {
      await kill()
    },
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const port = /"port":(\d+)/.exec(line)?.[1]
      if (port) resolve(Number(port))
    })
  })
}
