import { execFile } from 'node:child_process'
import { join } from 'node:path'

/** An empty environment but for what lets a hundred short processes compile the same code once. */
export const cliEnvironment = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
}

/** What a command said, and its exit code. */
export type CliResult = { code: number; out: string; err: string }

/** Runs the command line as a process of its own on the state of a site. */
export function runCli(
  args: readonly string[],
  { dataDir, env = {} }: { dataDir: string; env?: Record<string, string> },
): Promise<CliResult> {
  const main = join(import.meta.dirname, '../../cli/main.ts')
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      {
        env: { ...cliEnvironment, DATA_DIR: dataDir, ...env },
        maxBuffer: 64 * 1024 * 1024,
      },
      (error, out, err) => {
        const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0
        resolve({ code, out, err })
      },
    )
  })
}
