import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import autocannon from 'autocannon'

/** A server under load, pinned to the first core where the machine allows it. */
export type Target = {
  name: string
  url: string
  headers?: Record<string, string>
  process: ChildProcess
  stop(): Promise<void>
}

const canPin = spawnSync('taskset', ['--version']).status === 0
const hasWrk = spawnSync('wrk', ['--version']).error === undefined

const startWords = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    scripts: { start: string }
  }
).scripts.start.split(' ')
const startProgram = startWords.indexOf('node')

/** Node's own options in `npm start`. */
export const startOptions: readonly string[] = startWords.slice(startProgram + 1, -1)

/** The environment that `npm start` sets. */
export const startEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  startWords
    .slice(0, startProgram)
    .filter((word) => word.includes('='))
    .map((word) => word.split('=') as [string, string]),
)

/** Starts a script on the server's core and waits until it answers. */
export async function startPinned(
  script: string,
  env: Record<string, string> = {},
  options: readonly string[] = [],
): Promise<{ process: ChildProcess; url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const command = [process.execPath, ...options, script]
  const [program, ...rest] = canPin ? ['taskset', '-c', '0', ...command] : command
  const child = spawn(program!, rest, {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // A part that fails leaves no server behind.
  process.once('exit', () => child.kill())
  const url = `http://127.0.0.1:${port}`
  await waitFor(url, child)
  return {
    process: child,
    url,
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Polls until a server answers anything at all. */
export async function waitFor(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 3000; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${url} did not start`)
    try {
      await (await fetch(url)).arrayBuffer()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  throw new Error(`${url} did not answer`)
}

/**
 * Requests per second over a few seconds, 32 connections, from the other core.
 * @param options `script`: a Lua script for wrk; without wrk it is left out
 */
export async function requestsPerSecond(
  url: string,
  {
    headers = {},
    seconds = 3,
    script,
  }: { headers?: Record<string, string>; seconds?: number; script?: string } = {},
): Promise<number> {
  if (!hasWrk) {
    const { requests } = await autocannon({ url, connections: 32, duration: seconds, headers })
    return requests.average
  }
  const args = [
    '-t1',
    '-c32',
    `-d${seconds}s`,
    ...(script === undefined ? [] : ['-s', script]),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    url,
  ]
  const [program, ...rest] = canPin ? ['taskset', '-c', '1', 'wrk', ...args] : ['wrk', ...args]
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'exit')
  if (/Non-2xx/.test(output) && !headers['If-None-Match'])
    throw new Error(`${url} answered with errors:\n${output}`)
  return Number(output.match(/Requests\/sec:\s+([\d.]+)/)?.[1])
}

/** Interleaved rounds over all runs; the median of each. */
export async function compare<Name extends string>(
  runs: Record<Name, () => Promise<number>>,
  rounds = 3,
): Promise<Record<Name, number>> {
  const results = Object.fromEntries(
    Object.keys(runs).map((name) => [name, [] as number[]]),
  ) as Record<Name, number[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const name of Object.keys(runs) as Name[]) results[name].push(await runs[name]())
  }
  return Object.fromEntries(
    Object.entries<number[]>(results).map(([name, values]) => [name, median(values)]),
  ) as Record<Name, number>
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
