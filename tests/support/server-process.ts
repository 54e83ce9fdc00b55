import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bareEnvironment } from './bare-environment.ts'

/** The server as its own process, for tests of dying and of signals. */
export type ServerProcess = AsyncDisposable & {
  readonly url: string
  /** Ends it at once, as a crash does. */
  kill(signal?: NodeJS.Signals): Promise<number | null>
}

/** A program whose code is loaded, and which opens its state when it is started. */
export type LoadedProcess = AsyncDisposable & { start(): Promise<ServerProcess> }

/**
 * Starts a program that serves the site and logs its port, as `server/start.js` does.
 * @param script path below the project's directory
 * @param options `maxFileBytes` from which on no file of it takes a byte any more, as on a disk that is
 *   over its quota
 */
export async function startProcess(
  script: string,
  env: Record<string, string>,
  { maxFileBytes }: { maxFileBytes?: number } = {},
): Promise<ServerProcess> {
  return served(launch(script, env, { maxFileBytes }))
}

/**
 * Lets a program load its code while another one still serves the same state. The program has to
 * wait for a line while `WAITS` is set, as `bare-server.ts` does.
 */
export function loadProcess(script: string, env: Record<string, string>): LoadedProcess {
  const child = launch(script, { ...env, WAITS: '1' }, { stdin: 'pipe' })
  return {
    start() {
      const server = served(child)
      child.stdin!.end('start\n')
      return server
    },
    [Symbol.asyncDispose]: async () => void (await ended(child, 'SIGKILL')),
  }
}

const launch = (
  script: string,
  env: Record<string, string>,
  { stdin = 'ignore', maxFileBytes }: { stdin?: 'ignore' | 'pipe'; maxFileBytes?: number } = {},
): ChildProcess => {
  const command = [process.execPath, join(import.meta.dirname, '../..', script)]
  // In blocks of 512 bytes; the signal that comes with a refused write would end the process.
  const limited = `trap '' XFSZ; ulimit -f ${(maxFileBytes ?? 0) / 512}; exec "$0" "$@"`
  const [program, ...args] = [...(maxFileBytes ? ['sh', '-c', limited] : []), ...command]
  return spawn(program!, args, {
    env: { ...bareEnvironment, PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: [stdin, 'pipe', 'inherit'],
  })
}

async function served(child: ChildProcess): Promise<ServerProcess> {
  const port = await portOf(child)
  const kill = (signal: NodeJS.Signals = 'SIGKILL') => ended(child, signal)
  return {
    url: `http://127.0.0.1:${port}`,
    kill,
    async [Symbol.asyncDispose]() {
      await kill()
    },
  }
}

const ended = (child: ChildProcess, signal: NodeJS.Signals) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
    child.once('exit', (code) => resolve(code))
    child.kill(signal)
  })

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
