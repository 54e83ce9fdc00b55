import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { runCommand } from '#cli/main.ts'
import { bareEnvironment } from './bare-environment.ts'

/** What a command said, and its exit code. */
export type CliResult = { code: number; out: string; err: string }

/** Runs the command line on the state of a site, with its own context, as a process would. */
export async function runCli(
  args: readonly string[],
  {
    dataDir,
    env = {},
    terminal,
  }: {
    dataDir: string
    env?: Record<string, string>
    /** Writes to a terminal of this size instead of a pipe. */
    terminal?: { columns: number; rows: number }
  },
): Promise<CliResult> {
  const [out, err] = [new PassThrough(), new PassThrough()]
  if (terminal) Object.assign(out, { isTTY: true, ...terminal })
  const said = Promise.all([buffer(out), buffer(err)])
  // A command closes what it writes to everyone else, which must end with it.
  const mask = process.umask()
  const code = await runCommand(args, { env: { DATA_DIR: dataDir, ...env }, out, err })
  process.umask(mask)
  out.end()
  err.end()
  const [answer, complaint] = await said
  return { code, out: answer.toString(), err: complaint.toString() }
}

/** The same as its own process. */
export function runCliProcess(
  args: readonly string[],
  { dataDir, env = {} }: { dataDir: string; env?: Record<string, string> },
): Promise<CliResult> {
  const main = join(import.meta.dirname, '../../cli/main.ts')
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      {
        env: { ...bareEnvironment, DATA_DIR: dataDir, ...env },
        maxBuffer: 64 * 1024 * 1024,
      },
      (error, out, err) => {
        const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0
        resolve({ code, out, err })
      },
    )
  })
}
