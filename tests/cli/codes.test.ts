import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { scopes } from '#shared/clients/secret-code.ts'
import { addTeam } from '../support/clients.ts'
import { tryCode } from '../support/clients.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { runOn } from '../support/in-process-cli.ts'
import { runCli, type CliResult } from '../support/run-cli.ts'
import { createClock, startSite, type Site } from '../support/site.ts'

let site: Site

beforeEach(async () => {
  site = await startSite({ clock: createClock(Date.now()) })
  await addTeam(site)
  return () => site[Symbol.asyncDispose]()
})

const codes = (...args: string[]) => runCli(['codes', ...args], site)

/** Runs a command with a text as its input. */
function withInput(input: string, ...args: string[]): Promise<CliResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, '../../cli/main.ts'), 'codes', ...args],
      { env: { ...bareEnvironment, DATA_DIR: site.dataDir } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
    child.stdin?.end(input)
  })
}

const listed = async () => JSON.parse((await codes('list', '--json')).out) as { state: string }[]

test('a code is printed once, opens the panel, and is revoked at once', async () => {
  const { out, code: exit } = await codes(
    'create',
    'team',
    '--label',
    'Aino',
    '--scopes',
    'view,ops',
  )
  const [code = '', ...more] = out.split('\n')
  expect(exit).toBe(0)
  expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/)
  const panel = `${site.url}/panel/team`
  expect(more.join('\n')).toBe(
    `Code 1. Shown only once: save it or send it now.\n\nIt opens ${panel}\nTo send:\n\nHi Team,\n\nSign in at ${panel}\nYour code: ${code}\n\n`,
  )
  expect((await tryCode(site, code)).json?.data).toMatchObject({ scopes: ['view', 'ops'] })
  const list = await codes('list', '--json')
  expect(JSON.parse(list.out)).toMatchObject([
    { code: 1, client: 'team', label: 'Aino', state: 'good', uses: 1, scopes: 'view,ops' },
  ])
  expect(list.out).not.toContain(code)
  expect((await codes('revoke', '1')).out).toBe('1: revoked\n')
  expect((await tryCode(site, code)).status).toBe(401)
  expect(await listed()).toMatchObject([{ state: 'revoked' }])
})

test('a code opens everything of the panel unless told otherwise, and the help says what', async () => {
  const made = JSON.parse((await codes('create', 'team', '--json')).out) as { code: string }
  expect((await tryCode(site, made.code)).json?.data).toMatchObject({
    scopes: ['view', 'download', 'select'],
  })
  const { out } = await codes('create', '--help')
  for (const scope of scopes) expect(out).toMatch(new RegExp(`^  ${scope} +\\w`, 'm'))
})

test('a code is rotated: the new one opens, the old one does not', async () => {
  const first = JSON.parse((await codes('create', 'team', '--json')).out) as { code: string }
  const second = JSON.parse((await codes('rotate', '1', '--json')).out) as { code: string }
  expect((await tryCode(site, first.code)).status).toBe(401)
  expect((await tryCode(site, second.code)).status).toBe(200)
  expect(await listed()).toMatchObject([{ state: 'revoked' }, { state: 'good' }])
  expect(await codes('rotate', '1')).toMatchObject({ code: 1 })
  // As with a new code: where it opens, and a text to send.
  const { out } = await codes('rotate', '2')
  const [third] = out.split('\n')
  expect(out).toContain(`It opens ${site.url}/panel/`)
  expect(out).toContain(`Your code: ${third}\n`)
})

test('the text to send names the last minute of a code, and how often it can be used', async () => {
  const { out } = await codes('create', 'team', '--expires', '2087-05-31')
  expect(out).toContain('It works until 31 May 2087, 23:59 (Helsinki).')
  expect(out).not.toContain('You can sign in')
  const { out: few } = await codes('create', 'team', '--max-uses', '2')
  expect(few).toContain('You can sign in with it 2 times.')
  const { out: one } = await codes('create', 'team', '--max-uses', '1')
  expect(one).toContain('You can sign in with it once.')
})

test('a code ends when it should, and later when it is extended', async () => {
  const made = await codes('create', 'team', '--expires', '1d', '--max-uses', '5', '--json')
  const { code } = JSON.parse(made.out) as { code: string }
  // Days are whole ones: it lasts to the end of tomorrow.
  site.clock.advance(23 * 3_600_000)
  expect((await tryCode(site, code)).status).toBe(200)
  site.clock.advance(25 * 3_600_000)
  expect((await tryCode(site, code)).status).toBe(401)
  // Its settings are those of the new one, which would be over, too.
  await expect(runOn(site, 'codes', 'rotate', '1')).rejects.toThrow('Give it a new expiry first')
  expect(await listed()).toHaveLength(1)
  expect((await codes('extend', '1', '--expires', '2d')).code).toBe(0)
  expect((await tryCode(site, code)).status).toBe(200)
  expect((await codes('extend', '1', '--expires', 'never')).out).toBe('1: no expiry\n')
  expect(await listed()).toMatchObject([{ expires: null, maxUses: 5 }])
  for (const args of [
    ['extend', '1'],
    ['create', 'team'],
  ]) {
    const { code: exit, err } = await codes(...args, '--expires', '2020-01-31')
    expect(exit).not.toBe(0)
    expect(err).toContain('That expiry is in the past.')
  }
  expect(await listed()).toMatchObject([{ expires: null, maxUses: 5 }])
  // The table has the last day, as staff gave it; JSON the instant.
  expect((await codes('extend', '1', '--expires', '2030-01-31')).out).toBe(
    '1: expires 2030-01-31\n',
  )
  expect((await codes('list')).out).toContain('2030-01-31')
  expect(await listed()).toMatchObject([{ expires: '2030-02-01T00:00:00.000+02:00' }])
})

test('revoking a code again by its label leaves the client’s other code alone', async () => {
  await runCli(['clients', 'edit', 'team', '--email', 'nora@example.com'], site)
  await codes('create', 'team', '--label', 'Nora')
  await codes('create', 'team', '--label', 'Guests')
  expect((await codes('revoke', 'nora')).out).toBe('1: revoked\n')
  expect(await codes('revoke', 'nora')).toMatchObject({
    code: 1,
    err: 'Code 1, Nora, is revoked.\n',
  })
  expect(await listed()).toMatchObject([{ state: 'revoked' }, { state: 'good' }])
  // By its client it's the only one that is left.
  expect((await codes('revoke', 'team')).out).toBe('2: revoked\n')
})

test('a code of a client who is disabled is given out with a word of that', async () => {
  await runCli(['clients', 'disable', 'team'], site)
  const { out } = await codes('create', 'team')
  expect(out).toContain('is disabled: the code opens nothing until clients enable.\n')
  await runCli(['clients', 'enable', 'team'], site)
  expect((await codes('create', 'team')).out).not.toContain('disabled')
})

test('a custom code comes from the input and is not repeated', async () => {
  const { code, out } = await withInput('Kevään kausi 27\n', 'create', 'team', '--custom')
  expect({ code, out }).toEqual({ code: 0, out: 'Code 1: created\n' })
  expect((await tryCode(site, 'kevään-kausi-27')).status).toBe(200)
  expect(await withInput('KEVÄÄN KAUSI 27', 'create', 'team', '--custom')).toMatchObject({
    code: 1,
    err: 'This code is already in use.\n',
  })
})

test('a short custom code has to be insisted upon, and to end', async () => {
  const short = (...args: string[]) => withInput('pole7', 'create', 'team', '--custom', ...args)
  for (const args of [[], ['--force'], ['--expires', '3d'], ['--force', '--expires', 'never']]) {
    const { code, err } = await short(...args)
    expect([args, code]).toEqual([args, 2])
    expect(err).toContain('needs --force and --expires')
  }
  expect((await short('--force', '--expires', '3d')).code).toBe(0)
  expect((await tryCode(site, 'POLE-7')).status).toBe(200)
  expect((await withInput('a-', 'create', 'team', '--custom', '--force')).code).toBe(2)
  expect((await withInput('', 'create', 'team', '--custom')).code).toBe(1)
})

test.each([
  ['an unknown client', ['create', 'nobody'], 1],
  ['an unknown scope', ['create', 'team', '--scopes', 'view,everything'], 2],
  ['no use at all', ['create', 'team', '--max-uses', '0'], 2],
  ['a date that is none', ['create', 'team', '--expires', '2027-02-30'], 2],
  ['an unknown code', ['revoke', '99'], 1],
  ['a code instead of its number', ['revoke', 'ABCDE-FGHJK'], 1],
  ['no end', ['extend', '1'], 2],
])('%s is refused', async (_, args, exit) => {
  expect((await codes(...args)).code).toBe(exit)
})

test('two codes that were given no label are two visitors, and one in place of another goes on', async () => {
  const labels = async () =>
    (JSON.parse(await runOn(site, 'codes', 'list', '--json')) as { label: string }[]).map(
      ({ label }) => label,
    )
  await runOn(site, 'codes', 'create', 'team')
  await runOn(site, 'codes', 'create', 'team')
  await runOn(site, 'codes', 'create', 'team')
  expect((await labels()).toSorted()).toEqual(['', 'Person 2', 'Person 3'])
  await runOn(site, 'codes', 'rotate', '2')
  expect((await labels()).filter((label) => label === 'Person 2')).toHaveLength(2)
  await runOn(site, 'codes', 'revoke', '1')
  await runOn(site, 'codes', 'create', 'team')
  expect((await labels()).filter((label) => label === '')).toHaveLength(2)
})

test('what opens nothing without view is refused, and doctor names codes from before', async () => {
  const refused = await codes('create', 'team', '--scopes', 'select,manage')
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining('error: select and manage open nothing without view: add view.'),
  ])
  expect(await listed()).toEqual([])
  expect((await codes('create', 'team', '--scopes', 'links,ops')).code).toBe(0)
  const { clients } = site.context.features
  const { doctor } = clients
  const check = () => doctor!.find((each) => each.check === 'secret codes')!.look()
  expect(await check()).toEqual({ state: 'ok', text: '1 code' })

  const team = clients.findPanel('team')!
  const rules = { label: '', scopes: ['manage'], expiresAt: null, maxUses: null } as const
  const made = await site.context.commit((tx) => clients.codes.add(tx, team.id, rules))
  expect(await check()).toEqual({
    state: 'warn',
    text: `no view, without which manage opens nothing: code ${made.id} of team; make another with pitlane codes create team --scopes view,manage, then pitlane codes revoke ${made.id}`,
  })
  await expect(runOn(site, 'codes', 'rotate', String(made.id))).rejects.toThrow(
    `In code ${made.id}, manage opens nothing without view. Make another code with view, and revoke this one.`,
  )
  expect((await tryCode(site, made.code)).status).toBe(200)
  expect((await codes('revoke', String(made.id))).code).toBe(0)
  expect((await check()).state).toBe('ok')
})
