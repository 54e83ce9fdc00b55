import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import { bareEnvironment } from './bare-environment.ts'
import { runCli } from './run-cli.ts'

/** A directory for the state, with what the site keeps beside the database. */
export type State = Disposable & {
  dataDir: string
  /** Its environment: content of no file, so copies are small. */
  env: Record<string, string>
  write(path: string, content: string | Buffer): void
  /** Every file that a restore replaces as it is, but the database, with its bytes and its time. */
  files(): Record<string, string>
}

const contentDir = mkdtempSync(join(tmpdir(), 'pitlane-no-content-'))
process.once('exit', () => rmSync(contentDir, { recursive: true, force: true }))
/** An environment whose content has no file. */
export const noContent = { CONTENT_DIR: contentDir }

/** Makes the state of a site that has run, with files of each sort. */
export async function makeState(): Promise<State> {
  const dataDir = emptyDirectory()
  // A restore may have put something there.
  rmSync(contentDir, { recursive: true, force: true })
  mkdirSync(contentDir)
  const state: State = {
    dataDir,
    env: noContent,
    write(path, content) {
      mkdirSync(dirname(join(dataDir, path)), { recursive: true })
      writeFileSync(join(dataDir, path), content)
      const at = statSync(join(dataDir, path)).mtimeMs
      utimesSync(join(dataDir, path), at / 1000, Math.floor(at) / 1000 + 0.0001)
    },
    files() {
      const names = readdirSync(dataDir, { recursive: true }) as string[]
      const kept = names.filter(
        (name) =>
          !/^(?:backups|cache|logs|pitlane\.sqlite|in-use|secret-key|keys\.|unrecorded-acts)/.test(
            name,
          ) && statSync(join(dataDir, name)).isFile(),
      )
      return Object.fromEntries(
        kept.toSorted().map((name) => {
          const { mtimeMs } = statSync(join(dataDir, name))
          return [name, `${Math.floor(mtimeMs)} ${readFileSync(join(dataDir, name), 'base64')}`]
        }),
      )
    },
    [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true }),
  }
  await addClient(state, 'Nordic Rally Team')
  state.write('folders/winter/day 1/car.jpg', 'a car')
  state.write('panels/abcdef', 'a contract')
  state.write('keys.json', '{ "keys": {}, "kinds": {} }')
  state.write('products/wallpaper.zip', 'a wallpaper')
  state.write('mail/2026-11-20T12-00-00-x-confirmation.eml', 'a mail')
  state.write('cache/folders/preview', 'made again')
  state.write('logs/pitlane.log', 'a line')
  return state
}

/** Makes a backup by the command line. @returns where it is */
export async function makeBackup(
  { dataDir }: { dataDir: string },
  ...options: string[]
): Promise<string> {
  const { code, out, err } = await runCli(['backup', 'create', ...options], {
    dataDir,
    env: noContent,
  })
  if (code !== 0) throw new Error(err)
  return out.slice(0, out.indexOf(': '))
}

/** Adds a client, so the database of a state differs from that of a backup. */
export async function addClient({ dataDir }: { dataDir: string }, name: string): Promise<void> {
  const env = { SITE_URL: 'http://localhost' }
  const { code, err } = await runCli(['clients', 'add', name], { dataDir, env })
  if (code !== 0) throw new Error(err)
}

/** The names of the clients that a state knows, a small proof of which database it has. */
export async function clientNames(dataDir: string): Promise<string[]> {
  const { code, out, err } = await runCli(['clients', 'list', '--json'], { dataDir })
  if (code !== 0) throw new Error(err)
  return (JSON.parse(out) as { name: string }[]).map(({ name }) => name).toSorted()
}

/** Every backup below DATA_DIR/backups, as the command line lists them. */
export async function listBackups({ dataDir }: { dataDir: string }) {
  const { out } = await runCli(['backup', 'list', '--json'], { dataDir, env: noContent })
  return JSON.parse(out) as { name: string; kind: string; files: number; bytes: number }[]
}

/** Restores a backup by its name or path. */
export const restore = ({ dataDir }: { dataDir: string }, name: string) =>
  runCli(['backup', 'restore', name, '--yes'], { dataDir, env: noContent })

/** What is in the middle of being made or prepared. */
export const halfMade = ({ dataDir }: { dataDir: string }): string[] => {
  const backups = join(dataDir, 'backups')
  const names = existsSync(backups) ? readdirSync(backups) : []
  return names.filter((name) => /\.(?:part|new|old)$/.test(name))
}

/** An empty directory of its own. */
export const emptyDirectory = () => mkdtempSync(join(tmpdir(), 'pitlane-backup-'))

/** Kills a command of `backup` in its own process as soon as something has happened. */
export async function killOnce(
  happened: () => void,
  { dataDir, env }: Pick<State, 'dataDir' | 'env'>,
  ...args: string[]
): Promise<void> {
  const main = join(import.meta.dirname, '../../cli/main.ts')
  const child = spawn(process.execPath, [main, 'backup', ...args], {
    env: { ...bareEnvironment, DATA_DIR: dataDir, ...env },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await eventually(happened)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
}

/** So much that copying it takes a while. */
export const longFile = Buffer.alloc(150 * 1024 * 1024, 'pitlane')

/**
 * Puts a file into a state that takes no room, and seconds to copy: however late a crowded machine looks,
 * who copies it is still at it.
 */
export function writeEndless({ dataDir, write }: State, path: string): void {
  write(path, '')
  truncateSync(join(dataDir, path), 2 * 1024 ** 3)
}
