import { execFile, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runCliProcess } from '../support/run-cli.ts'
import { startSite } from '../support/site.ts'

const root = join(import.meta.dirname, '../..')

let copy: string

/** A checkout of its own without a build: what the command line is made from, and our packages. */
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'pitlane-start-'))
  const files = ['package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.base.json']
  for (const name of ['cli', 'server', 'shared', ...files]) {
    cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  return () => rmSync(copy, { recursive: true })
})

/** Runs `cli/start.js` of the copy. */
const start = (dataDir: string, ...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(copy, 'cli/start.js'), ...args],
      { env: { PATH: process.env.PATH, DATA_DIR: dataDir } },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    )
  })

test(
  'the sources and the bundle say the same, while the server runs',
  { timeout: 300_000 },
  async () => {
    await using site = await startSite()
    const commands = [
      ['clients', 'list', '--json'],
      ['jobs', '--help'],
    ]
    await runCliProcess(['clients', 'add', 'Nordic Rally Team'], site)
    const said = (run: (args: string[]) => Promise<unknown>) => Promise.all(commands.map(run))
    const expected = await said((args) => runCliProcess(args, site))

    // Without Vite, as in a container, nothing can be built.
    const vite = join(copy, 'node_modules/vite')
    rmSync(vite)
    expect(await said((args) => start(site.dataDir, ...args))).toEqual(expected)
    expect(existsSync(join(copy, 'dist'))).toBe(false)

    symlinkSync(join(root, 'node_modules/vite'), vite)
    const [first = []] = commands
    expect(await start(site.dataDir, ...first)).toEqual({
      ...((await runCliProcess(first, site)) as object),
      err: 'The command line has changed: building…\n',
    })
    expect(await said((args) => start(site.dataDir, ...args))).toEqual(expected)
    expect(existsSync(join(copy, 'dist/cli/main.js'))).toBe(true)
  },
)

test(
  'commands that start at the same time after an update all build, and none fails',
  { timeout: 300_000 },
  async () => {
    await using site = await startSite()
    writeFileSync(join(copy, 'shared/changed.ts'), '// An update.\n')
    const runs = await Promise.all(
      [1, 2, 3].map(() => start(site.dataDir, 'clients', 'list', '--json')),
    )
    for (const { code, err } of runs) {
      expect({ code, err }).toEqual({ code: 0, err: 'The command line has changed: building…\n' })
    }
    expect(readdirSync(join(copy, 'dist')).filter((name) => name.startsWith('cli-'))).toEqual([])
  },
)

test('asking for help begins no site', async () => {
  const dataDir = join(copy, 'not-there')
  expect(await start(dataDir, '--help')).toMatchObject({
    code: 0,
    out: expect.stringContaining('tickets'),
  })
  expect(existsSync(dataDir)).toBe(false)
})

test('in a Node that is too old it goes on in the one of our packages, or says what is needed', async () => {
  const [settings, packaged] = [join(copy, 'package.json'), join(copy, 'node_modules/node')]
  const present = readFileSync(settings, 'utf8')
  writeFileSync(settings, present.replace(/"node": ">=[\d.]+"/, '"node": ">=999.1"'))
  rmSync(packaged)
  const none = await start(copy, 'tickets', 'list')
  mkdirSync(join(packaged, 'bin'), { recursive: true })
  writeFileSync(join(packaged, 'bin/node'), '#!/bin/sh\necho "$2 $3"; exit 7\n', { mode: 0o755 })
  const ours = await start(copy, 'tickets', 'list')
  writeFileSync(settings, present)
  rmSync(packaged, { recursive: true })
  symlinkSync(join(root, 'node_modules/node'), packaged)
  expect(none).toMatchObject({ code: 1, err: expect.stringMatching(/^Pitlane can’t run in Node /) })
  expect(ours).toEqual({ code: 7, out: 'tickets list\n', err: '' })
})

test.skipIf(!existsSync('/dev/full'))('output that a full disk doesn’t take is said', async () => {
  await using site = await startSite({ sending: false })
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'cli/main.ts'), 'jobs', 'list'],
    {
      env: { PATH: process.env.PATH, DATA_DIR: site.dataDir },
      encoding: 'utf8',
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    },
  )
  expect([status, stderr]).toEqual([
    1,
    'This wasn’t written to its end: the disk is full. Free some space, then run it again.\n',
  ])
})
