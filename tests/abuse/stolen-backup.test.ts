import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Decrypter } from 'age-encryption'
import { expect, test } from 'vitest'
import { readSecret } from '#server/secrets/key-files.ts'
import { createKeys } from '#server/secrets/secret-key.ts'
import { emptyDirectory, listBackups, makeBackup, makeState } from '../support/backups.ts'
import { makeClient, tryCode } from '../support/clients.ts'
import { filesWith } from '../support/raw-state.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite } from '../support/site.ts'

const passphrase = 'correct horse battery staple'

/** Makes a site with a secret code and its backup, as if by different environments. */
async function siteWithBackup(env: Record<string, string> = {}) {
  const dataDir = emptyDirectory()
  const site = await startSite({ dataDir, sending: false })
  const { code } = await makeClient(site)
  await site[Symbol.asyncDispose]()
  const made = await runCli(['backup', 'create'], { dataDir, env })
  expect([made.code, made.err]).toEqual([0, ''])
  return { dataDir, code, path: made.out.slice(0, made.out.indexOf(': ')), said: made.out }
}

/** Whether a secret code opens the site on a state. */
async function opens(dataDir: string, code: string): Promise<boolean> {
  await using site = await startSite({ dataDir, sending: false })
  return (await tryCode(site, code)).status === 200
}

test('a stolen backup forges nothing: the key is not in it, nor in one from before a rotation', async () => {
  const { dataDir, path, said } = await siteWithBackup()
  const secret = readSecret(dataDir)!
  expect(filesWith(path, secret)).toEqual([])
  expect(said).toContain('The secret key isn’t in the backup.')
  await runCli(['keys', 'rotate'], { dataDir })
  const { out } = await runCli(['backup', 'create'], { dataDir })
  const second = out.slice(0, out.indexOf(': '))
  for (const each of [secret, readSecret(dataDir)!]) expect(filesWith(second, each)).toEqual([])
  expect((await runCli(['backup', 'check', basename(path)], { dataDir })).out).toContain(
    'It doesn’t include the secret key.',
  )
  expect(await listBackups({ dataDir })).toMatchObject([{ key: 'no' }, { key: 'no' }])
  rmSync(dataDir, { recursive: true })
})

test('with a passphrase the key is in the backup, encrypted as age does it', async () => {
  const { dataDir, path } = await siteWithBackup({ BACKUP_PASSPHRASE: passphrase })
  const secret = readSecret(dataDir)!
  expect(filesWith(path, secret)).toEqual([])
  expect(filesWith(path, passphrase)).toEqual([])
  expect(statSync(join(path, 'secret-key.age')).mode & 0o777).toBe(0o600)
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const sealed = readFileSync(join(path, 'secret-key.age'))
  expect(await decrypter.decrypt(sealed, 'text')).toBe(`${secret}\n`)
  expect(await listBackups({ dataDir })).toMatchObject([{ key: 'encrypted' }])
  const { code, out } = await runCli(['backup', 'check', basename(path)], { dataDir })
  expect([code, out]).toEqual([0, expect.stringContaining('encrypted with BACKUP_PASSPHRASE')])
  rmSync(dataDir, { recursive: true })
})

test('a restore onto the same machine keeps its key, also where the backup is from before a rotation', async () => {
  const { dataDir, code, path } = await siteWithBackup({ BACKUP_PASSPHRASE: passphrase })
  await runCli(['keys', 'rotate'], { dataDir })
  const present = readSecret(dataDir)
  const { out } = await runCli(['backup', 'restore', basename(path), '--yes'], { dataDir })
  expect(out).toContain('This machine’s secret key stays in use.')
  expect(readSecret(dataDir)).toBe(present)
  expect(existsSync(join(dataDir, 'secret-key.age'))).toBe(false)
  expect(await opens(dataDir, code)).toBe(true)

  // What was revoked since does not come back with an older state.
  await runCli(['keys', 'revoke', '--yes'], { dataDir })
  const again = await runCli(['backup', 'restore', basename(path), '--yes'], { dataDir })
  expect(again.out).toContain('was made with a different secret key')
  const taken = await runCli(['backup', 'restore', basename(path), '--take-key', '--yes'], {
    dataDir,
    env: { BACKUP_PASSPHRASE: passphrase },
  })
  expect([taken.code, taken.err]).toEqual([1, expect.stringContaining('was revoked here')])
  rmSync(dataDir, { recursive: true })
})

test('on another machine a restore says what is missing, and takes the key by passphrase or file', async () => {
  const { dataDir, code, path } = await siteWithBackup({ BACKUP_PASSPHRASE: passphrase })
  const keyFile = join(emptyDirectory(), 'keys')
  await runCli(['keys', 'show', '--secret-to', keyFile], { dataDir })
  const restore = async (args: string[], env: Record<string, string> = {}) => {
    const there = emptyDirectory()
    const result = await runCli(['backup', 'restore', path, '--yes', ...args], {
      dataDir: there,
      env,
    })
    return { ...result, there, secret: readSecret(there) }
  }
  const bare = await restore([])
  expect(bare.code).toBe(0)
  expect(bare.out).toContain('There is no secret key here.')
  expect(bare.out).toContain('--key-file <file>')
  expect(bare.out).toContain('the server doesn’t start')
  expect(bare.out).toContain('run keys rotate')
  expect(bare.secret).toBeNull()
  // It starts only once someone has said that the key is gone for good.
  await expect(opens(bare.there, code)).rejects.toThrow('run keys rotate')
  expect((await runCli(['keys', 'rotate'], { dataDir: bare.there })).code).toBe(0)
  expect(await opens(bare.there, code)).toBe(false)

  const wrong = await restore([], { BACKUP_PASSPHRASE: 'another passphrase' })
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('doesn’t unlock')])

  for (const given of [
    await restore([], { BACKUP_PASSPHRASE: passphrase }),
    await restore(['--key-file', keyFile]),
  ]) {
    expect([given.code, given.err]).toEqual([0, ''])
    expect(given.secret).toBe(readSecret(dataDir))
    expect(statSync(join(given.there, 'secret-key')).mode & 0o777).toBe(0o600)
    expect(await opens(given.there, code)).toBe(true)
    rmSync(given.there, { recursive: true })
  }
  // The key that was made there meanwhile gives way to that of the backup.
  const later = await runCli(['backup', 'restore', path, '--take-key', '--yes'], {
    dataDir: bare.there,
    env: { BACKUP_PASSPHRASE: passphrase },
  })
  expect([later.code, later.err]).toEqual([0, ''])
  expect(await opens(bare.there, code)).toBe(true)
  expect(filesWith(join(bare.there, 'backups'), readSecret(dataDir)!)).toEqual([])
  for (const each of [dataDir, bare.there, join(keyFile, '..')]) rmSync(each, { recursive: true })
})

test('a backup of an earlier version, with the key in plain, still works and is warned of', async () => {
  using state = await makeState()
  const path = await makeBackup(state)
  const old = '5'.repeat(64)
  writeFileSync(join(path, 'secret-key'), old)
  const sha256 = createHash('sha256').update(old).digest('hex')
  const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as {
    files: unknown[]
    keys?: unknown
  }
  manifest.files.push({ path: 'secret-key', bytes: 64, mtime: 0, sha256 })
  delete manifest.keys
  writeFileSync(join(path, 'manifest.json'), JSON.stringify(manifest))
  expect((await runCli(['backup', 'check', basename(path)], state)).out).toContain('unencrypted')
  expect(await listBackups(state)).toMatchObject([{ key: 'plain' }])
  const { out } = await runCli(['doctor'], { ...state, env: { SITE_URL: 'http://localhost' } })
  expect(out).toMatch(
    /^warn +backups: .*1 from an earlier version contain the secret key unencrypted/m,
  )

  const elsewhere = emptyDirectory()
  cpSync(path, join(elsewhere, 'backup'), { recursive: true })
  const moved = await runCli(['backup', 'restore', join(elsewhere, 'backup'), '--yes'], {
    dataDir: join(elsewhere, 'state'),
  })
  expect([moved.code, moved.err]).toEqual([0, ''])
  expect(readSecret(join(elsewhere, 'state'))).toBe(old)
  expect(createKeys({ secretKey: null, dataDir: join(elsewhere, 'state') }).hash('a', 'b')).toBe(
    createKeys({ secretKey: old, dataDir: '' }).hash('a', 'b'),
  )
  // Here the present key stays.
  const present = readSecret(state.dataDir)
  await runCli(['backup', 'restore', basename(path), '--yes'], state)
  expect(readSecret(state.dataDir)).toBe(present)
  rmSync(elsewhere, { recursive: true })
})

test('backups go to BACKUP_DIR, are found there by name, and a place inside of the state is refused', async () => {
  using state = await makeState()
  const directory = emptyDirectory()
  const env = { BACKUP_DIR: directory, SITE_URL: 'http://localhost' }
  const made = await runCli(['backup', 'create'], { ...state, env })
  const path = made.out.slice(0, made.out.indexOf(': '))
  expect(path.startsWith(`${directory}/`)).toBe(true)
  expect((await runCli(['backup', 'list'], { ...state, env })).out).toContain(basename(path))
  expect((await runCli(['backup', 'check', basename(path)], { ...state, env })).code).toBe(0)
  const restored = await runCli(['backup', 'restore', basename(path), '--yes'], { ...state, env })
  expect([restored.code, restored.err]).toEqual([0, ''])
  // What was there before is beside the state, and both are listed.
  const { out } = await runCli(['backup', 'list', '--json'], { ...state, env })
  expect((JSON.parse(out) as { kind: string }[]).map(({ kind }) => kind)).toEqual([
    'before-restore',
    'manual',
  ])
  expect(
    (await runCli(['backup', 'remove', basename(path), '--yes'], { ...state, env })).code,
  ).toBe(0)
  expect(existsSync(path)).toBe(false)
  const inside = await runCli(['backup', 'list'], {
    ...state,
    env: { BACKUP_DIR: join(state.dataDir, 'folders') },
  })
  expect([inside.code, inside.err]).toEqual([
    1,
    expect.stringContaining('BACKUP_DIR must be outside'),
  ])
  rmSync(directory, { recursive: true })
})

test.each([
  [
    'below the state, by another spelling of it',
    'state/copies',
    'BACKUP_DIR must be outside of DATA',
  ],
  ['below the content', 'content/copies', 'BACKUP_DIR must be outside of CONTENT_DIR'],
])('backups %s are refused: each would copy all before it', async (_where, below, problem) => {
  const home = emptyDirectory()
  for (const name of ['state', 'content']) mkdirSync(join(home, name))
  symlinkSync(join(home, 'state'), join(home, 'link'))
  const directory = join(home, below)
  const site = { dataDir: join(home, 'link') }
  const env = { CONTENT_DIR: join(home, 'content'), SITE_URL: 'http://localhost' }
  const set = await runCli(['backup', 'list'], { ...site, env: { ...env, BACKUP_DIR: directory } })
  expect([set.code, set.err]).toEqual([1, expect.stringContaining(problem)])
  const out = await runCli(['backup', 'create', '--out', directory], { ...site, env })
  expect([out.code, out.err]).toEqual([1, expect.stringContaining('is part of the state itself')])
  expect(existsSync(directory)).toBe(false)
  rmSync(home, { recursive: true })
})

test('a state below the content is refused: its key would be in each backup, in plain', async () => {
  const home = emptyDirectory()
  const [dataDir, env] = [join(home, 'var'), { CONTENT_DIR: home, SITE_URL: 'http://localhost' }]
  const { code, err } = await runCli(['backup', 'create'], { dataDir, env })
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('DATA_DIR must be outside of CONTENT_DIR'),
  ])
  rmSync(home, { recursive: true })
})

test('a BACKUP_DIR that leads to DATA_DIR/backups has each backup once, so that as many nights stay', async () => {
  using state = await makeState()
  const link = join(emptyDirectory(), 'link')
  symlinkSync(state.dataDir, link)
  const env = { ...state.env, BACKUP_DIR: join(state.dataDir, 'backups') }
  await runCli(['backup', 'create'], {
    dataDir: link,
    env: { ...env, SITE_URL: 'http://localhost' },
  })
  const { out } = await runCli(['backup', 'list', '--json'], { dataDir: link, env })
  expect(JSON.parse(out)).toHaveLength(1)
  rmSync(dirname(link), { recursive: true })
})
