import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildIfMissing } from '#server/build.ts'
import { enquiry } from '../support/enquiry.ts'
import { eventually } from '../support/eventually.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { csrfHeaders, send } from '../support/send.ts'
import { startProcess } from '../support/server-process.ts'

beforeAll(() => buildIfMissing(() => {}), 120_000)

/** A directory for the state, open to everyone, as an earlier version made it. */
function openState() {
  const home = mkdtempSync(join(tmpdir(), 'pitlane-private-'))
  const dataDir = join(home, 'state')
  const outside = join(home, 'outside.txt')
  for (const directory of ['mail', 'logs', 'folders/winter', 'backups', 'cache/pages']) {
    mkdirSync(join(dataDir, directory), { recursive: true })
    writeFileSync(join(dataDir, directory, 'old.bin'), 'old')
  }
  writeFileSync(outside, 'not ours to close')
  chmodSync(outside, 0o644)
  symlinkSync(outside, join(dataDir, 'folders/winter/link.txt'))
  const all = readdirSync(dataDir, { recursive: true }) as string[]
  for (const path of [dataDir, ...all.map((name) => join(dataDir, name))]) {
    if (!lstatSync(path).isSymbolicLink()) chmodSync(path, statSync(path).isFile() ? 0o644 : 0o755)
  }
  return { dataDir, outside, [Symbol.dispose]: () => rmSync(home, { recursive: true }) }
}

/** Whatever in the state someone else could read, with its mode. */
function openToOthers(dataDir: string): string[] {
  const names = ['', ...(readdirSync(dataDir, { recursive: true }) as string[])]
  return names.flatMap((name) => {
    const stats = lstatSync(join(dataDir, name), { throwIfNoEntry: false })
    if (!stats || stats.isSymbolicLink() || (stats.mode & 0o077) === 0) return []
    return [`${name} ${(stats.mode & 0o777).toString(8)}`]
  })
}

test('the server keeps what it writes to itself, and closes what was open', async () => {
  using state = openState()
  const { dataDir } = state
  await using server = await startProcess('server/start.js', { DATA_DIR: dataDir })
  const { status } = await send(`${server.url}/api/save-contact-form`, {
    method: 'POST',
    headers: { ...csrfHeaders, 'Content-Type': 'application/json' },
    body: enquiry(),
  })
  expect(status).toBe(201)
  await send(`${server.url}/sitemap.xml`)
  await eventually(() => expect(readdirSync(join(dataDir, 'mail')).length).toBe(3))
  await eventually(() => expect(openToOthers(dataDir)).toEqual([]))
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  for (const name of ['pitlane.sqlite', 'pitlane.sqlite-wal', 'secret-key', 'mail/old.bin']) {
    expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(0o600)
  }
  // What a link leads to is someone else's.
  expect(statSync(state.outside).mode & 0o777).toBe(0o644)
})

test('so does the command line, whatever the shell says', async () => {
  using state = openState()
  const { dataDir } = state
  const list = [join(import.meta.dirname, '../../cli/main.ts'), 'tickets', 'list']
  const child = spawn('sh', ['-c', 'umask 000; exec "$0" "$@"', process.execPath, ...list], {
    env: { ...bareEnvironment, DATA_DIR: dataDir },
  })
  await new Promise((resolve) => child.once('exit', resolve))
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(existsSync(join(dataDir, 'pitlane.sqlite'))).toBe(true)
  const open = openToOthers(dataDir).map((line) => line.split(' ')[0])
  expect(open.filter((name) => !/^(?:mail|logs|folders|backups|cache)/.test(name!))).toEqual([])
})
