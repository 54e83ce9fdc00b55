import { spawn } from 'node:child_process'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { csrfHeaders } from '../support/send.ts'
import { nef, packet } from '../support/raw-files.ts'
import { postForm, share, writeFiles } from '../support/shared-folder.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { runCli, type CliResult } from '../support/run-cli.ts'
import { startSite, type Site } from '../support/site.ts'

const folders = (site: Site, ...args: string[]) => runCli(['folders', ...args], site)

async function json(site: Site, ...args: string[]) {
  const { code, out, err } = await folders(site, ...args, '--json')
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

/** Runs a command that reads a secret from its input. */
function withInput(site: Site, input: string, ...args: string[]): Promise<CliResult> {
  const main = join(import.meta.dirname, '../../cli/main.ts')
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, 'folders', ...args], {
      env: { ...bareEnvironment, DATA_DIR: site.dataDir },
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (text: Buffer) => (out += text.toString()))
    child.stderr.on('data', (text: Buffer) => (err += text.toString()))
    child.once('close', (code) => resolve({ code: code ?? 1, out, err }))
    child.stdin.end(input)
  })
}

test('folders add without the directory says where folders belong', async () => {
  await using site = await startSite()
  const root = join(site.dataDir, 'folders')
  const missing = await folders(site, 'add', 'rally', '--title', 'Rally')
  expect([missing.code, missing.err]).toEqual([
    1,
    expect.stringContaining(`Directory not found in ${root}: rally`),
  ])
  const elsewhere = await folders(site, 'add', import.meta.dirname, '--title', 'Rally')
  expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining(`inside ${root}`)])
})

test('a directory is shared, shown, listed, changed, closed and opened again', async () => {
  await using site = await startSite()
  writeFiles(site, 'rally', { 'a.jpg': 'a', 'day 1/b.jpg': 'bb', '.secret': 'x' })
  const about = ['--title', 'Arctic Rally', '--client', 'Team Kaamos']
  const { code, out } = await folders(site, 'add', 'rally', ...about)
  expect(code).toBe(0)
  expect(out).toContain('2 files')
  const key = /\/s\/([0-9A-Za-z]{22})\n/.exec(out)![1]!
  const shown = await json(site, 'show', key)
  expect(shown).toMatchObject({ title: 'Arctic Rally', state: 'open', files: 2, bytes: 3 })
  // It's there all day long on the day that emails name.
  expect(shown.expires).toMatch(/T00:00:00\.000\+0[23]:00$/)
  const inDays = (Date.parse(shown.expires) - Date.now()) / 86_400_000
  expect(inDays).toBeGreaterThan(89.9)
  expect(inDays).toBeLessThan(91.1)
  expect(await json(site, 'list')).toHaveLength(1)

  await folders(site, 'set', key, '--expires', 'never', '--downloads', '5', '--rounds', 'many')
  const changed = { expires: null, downloadsMost: 5, rounds: 'many' }
  expect(await json(site, 'show', key)).toMatchObject(changed)
  await folders(site, 'set', key, '--downloads', 'any', '--expires', '2027-01-31')
  expect(await json(site, 'show', key)).toMatchObject({
    downloadsMost: null,
    expires: '2027-02-01T00:00:00.000+02:00',
  })
  expect((await folders(site, 'list')).out).toMatch(/ 2027-01-31\n/)
  await folders(site, 'revoke', key)
  expect((await json(site, 'show', key)).state).toBe('revoked')
  await folders(site, 'set', key, '--reopen')
  expect((await json(site, 'show', key)).state).toBe('open')
})

test('folders renew gives a new address, also in panels, and the old one finds nothing', async () => {
  await using site = await startSite()
  const { key } = await share(site, 'rally', { 'a.jpg': 'a' })
  const other = await share(site, 'other', { 'a.jpg': 'a' })
  const data = { folders: [key, other.key] }
  const { clients, folders: noun } = site.context.features
  const client = await site.context.commit((tx) =>
    clients.add(tx, { panel: 'team', name: 'T', season: null, emails: [] }),
  )
  const block = await site.context.commit((tx) =>
    clients.panels.add(tx, { clientId: client.id, kind: 'folders', title: null, data }),
  )
  const { out } = await folders(site, 'renew', key)
  const next = /\/s\/([0-9A-Za-z]{22})$/.exec(out.trim())![1]!
  expect(noun.store.find(key)).toBeNull()
  expect((await json(site, 'show', next)).panels).toBe('team')
  expect(clients.panels.find(block.id)?.data).toEqual({ folders: [next, other.key] })
})

test('folders show names the panels of a folder, and --anyone opens it to all', async () => {
  await using site = await startSite()
  const { key } = await share(site, 'rally', { 'a.jpg': 'a' })
  const client = await site.context.commit((tx) =>
    site.context.features.clients.add(tx, { panel: 'team', name: 'T', season: null, emails: [] }),
  )
  const data = { folders: [key] }
  await site.context.commit((tx) =>
    site.context.features.clients.panels.add(tx, {
      clientId: client.id,
      kind: 'folders',
      title: null,
      data,
    }),
  )
  expect(await json(site, 'show', key)).toMatchObject({ panels: 'team', anyone: false })
  expect((await site.get(`/s/${key}/zip`)).status).toBe(401)
  expect(await json(site, 'set', key, '--anyone')).toMatchObject({ anyone: true })
  expect((await site.get(`/s/${key}/zip`)).status).toBe(200)
  expect(await json(site, 'set', key, '--no-anyone')).toMatchObject({ anyone: false })
  expect((await site.get(`/s/${key}/zip`)).status).toBe(401)
})

test('a folder whose disk is away keeps its files and what visitors marked, and the others are synced', async () => {
  await using site = await startSite({ sending: false })
  const { store, favourites, sync } = site.context.features.folders
  const marked = await share(site, 'rally', { 'a.txt': 'a', 'b.txt': 'b' })
  const [file] = store.files(marked.id)
  await site.context.commit((tx) =>
    favourites.save(tx, marked, 'hash', file!.id, { heart: true, comment: 'The cover, please' }),
  )
  const away = await share(site, 'ice', { 'c.txt': 'c' })
  const plain = await share(site, 'gravel', { 'd.txt': 'd' })
  const at = (directory: string) => join(site.dataDir, 'folders', directory)
  // An empty mount point, into which something was uploaded; and one that can't be read at all.
  renameSync(at('rally'), at('.rally'))
  mkdirSync(at('rally'))
  writeFiles(site, 'rally', { 'new.txt': 'new' })
  renameSync(at('ice'), at('.ice'))
  writeFiles(site, 'gravel', { 'e.txt': 'e' })
  const { code, out, err } = await folders(site, 'sync')
  expect(code).toBe(1)
  expect(out).toContain('2 files')
  expect(err).toContain('All its 2 files are missing')
  expect(err).toContain(`folders sync ${marked.key} --accept-gone`)
  expect(err).toContain('ENOENT')
  expect(store.files(plain.id)).toHaveLength(2)
  expect(store.files(away.id)).toHaveLength(1)
  expect(favourites.countOf(marked.id)).toBe(1)
  rmSync(at('rally'), { recursive: true })
  renameSync(at('.rally'), at('rally'))
  expect(await sync(marked)).toMatchObject({ files: 2, added: 0, removed: 0 })
  rmSync(join(at('rally'), 'a.txt'))
  rmSync(join(at('rally'), 'b.txt'))
  expect((await folders(site, 'sync', marked.key)).code).toBe(1)
  expect((await folders(site, 'sync', marked.key, '--accept-gone')).out).toContain('2 gone')
  expect(favourites.countOf(marked.id)).toBe(0)
  // Of which some are gone is synced, and says what was marked.
  const [gravel] = store.files(plain.id)
  await site.context.commit((tx) => favourites.save(tx, plain, 'hash', gravel!.id, { heart: true }))
  rmSync(join(at('gravel'), gravel!.path))
  const { out: said } = await folders(site, 'sync', plain.key)
  expect(said).toContain(
    `gone: ${gravel!.path} (marked by 1 visitor)\nTheir favourites and comments are kept`,
  )
})

test('a password comes from the input, never from an option, and is kept as a hash', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.jpg': 'a' })
  const set = await withInput(
    site,
    'Jäinen tie\n',
    'set',
    folder.key,
    '--password',
    '--alias',
    'kaamos',
  )
  expect(set.code).toBe(0)
  expect(set.out).not.toContain('Jäinen')
  const kept = site.context.features.folders.store.find('kaamos')!
  expect(kept.password).toMatch(/^scrypt\./)
  const entered = await postForm(site, '/s/kaamos/password', { password: 'Jäinen tie' })
  expect(entered.headers.getSetCookie().length).toBe(1)
  expect((await withInput(site, '', 'set', folder.key, '--password')).code).toBe(1)
  expect((await withInput(site, 'abc\n', 'set', folder.key, '--password')).code).toBe(1)
  // An alias can be guessed.
  const open = await folders(site, 'set', folder.key, '--no-password')
  expect([open.code, open.err]).toEqual([
    1,
    'An alias can be guessed, so the folder needs a password.\n',
  ])
  await folders(site, 'set', folder.key, '--no-password', '--no-alias')
  expect(site.context.features.folders.store.find(folder.key)).toMatchObject({
    password: null,
    alias: null,
  })
})

test('a password is made and shown once, and short ones are refused', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.jpg': 'a' })
  const made = await json(site, 'set', folder.key, '--random-password', '--alias', 'kaamos')
  expect(made.newPassword).toMatch(/^[2-9a-z]{4}-[2-9a-z]{4}-[2-9a-z]{4}$/)
  const entered = await postForm(site, '/s/kaamos/password', { password: made.newPassword })
  expect(entered.headers.getSetCookie().length).toBe(1)
  expect(JSON.stringify(await json(site, 'show', folder.key))).not.toContain(made.newPassword)
  const told = await folders(site, 'set', folder.key, '--random-password')
  expect(told.out).toMatch(/\nPassword: \S{14}\nShown only once: save it or send it now\.\n$/)
  const short = await withInput(site, '1234567\n', 'set', folder.key, '--password')
  expect([short.code, short.err]).toEqual([1, 'Use 8 to 200 characters for the password.\n'])
  expect((await folders(site, 'set', folder.key, '--password', '--random-password')).code).toBe(2)
})

test('camera files that are held back are listed by folders and doctor, with what opens them', async () => {
  await using site = await startSite()
  const raw = Array.from({ length: 12 }, (_, index) => [`day 1/${100 + index}.NEF`, nef()])
  writeFiles(site, 'rally', { 'a.xmp': packet, ...Object.fromEntries(raw) })
  const { out } = await folders(site, 'add', 'rally')
  expect(out).toContain('withheld: day 1/100.NEF\n')
  expect(out).toContain('withheld: day 1/109.NEF\nwithheld: 2 more\n')
  expect(out).not.toContain('a.xmp')
  const key = /folders set (\S+) --keep-location/.exec(out)![1]!
  const shown = await json(site, 'show', key)
  expect([shown.heldBack, shown.held.length, shown.held[0]]).toEqual([12, 12, 'day 1/100.NEF'])
  expect((await folders(site, 'show', key)).out).toContain('withheld: day 1/100.NEF\n')
  const doctor = async () => {
    const found = await runCli(['doctor', '--json'], site)
    return (JSON.parse(found.out) as { check: string }[]).find(({ check }) => check === 'folders')
  }
  expect(await doctor()).toMatchObject({
    state: 'warn',
    text: `shown but not delivered: 12 RAW files in 1 folder; see pitlane folders show ${key}`,
  })
  await folders(site, 'set', key, '--keep-location')
  expect(await json(site, 'show', key)).toMatchObject({ heldBack: 0, held: [] })
  expect((await folders(site, 'sync', key)).out).not.toContain('withheld')
  expect(await doctor()).toMatchObject({ state: 'ok' })
})

test('files of a folder leave without their place, unless staff say so', async () => {
  await using site = await startSite()
  writeFiles(site, 'rally', { 'a.jpg': 'a' })
  const added = await json(site, 'add', 'rally')
  expect(added.keepLocation).toBe(false)
  expect(await json(site, 'set', added.folder, '--keep-location')).toMatchObject({
    keepLocation: true,
  })
  expect(await json(site, 'set', added.folder, '--no-keep-location')).toMatchObject({
    keepLocation: false,
  })
})

test('foreign directories, unknown folders and wrong use have exit codes and messages of their own', async () => {
  await using site = await startSite()
  await share(site, 'rally', { 'a.jpg': 'a' })
  const results = await Promise.all([
    folders(site, 'add', '/etc'),
    folders(site, 'add', '../..'),
    folders(site, 'add', 'nothing'),
    folders(site, 'add', 'rally'),
    folders(site, 'show', 'nothing'),
    folders(site, 'add', 'rally', '--expires', 'soon'),
    folders(site, 'set', 'x', '--downloads', '0'),
    folders(site, 'add'),
    folders(site, 'rename', 'rally', ' '),
    folders(site, 'set', 'rally', '--title', ''),
  ])
  expect(results.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 1, 1])
  expect(results[0].err).toContain('must be inside')
  for (const { err } of results.slice(-2)) expect(err).toBe('Enter a title for the folder.\n')
})

test('picks come as a table, as JSON, and as names for Lightroom', async () => {
  await using site = await startSite()
  const files = { 'day 1/PIT_0001.CR3': '1', 'PIT_0002.jpg': '2', 'PIT_0003.jpg': '3' }
  const folder = await share(site, 'rally', files)
  const ids = site.context.features.folders.store.files(folder.id)
  const mark = (path: string, change: object, cookie = '') =>
    site.post(
      `/api/folders/${folder.key}/marks`,
      { file: ids.find((file) => file.path === path)!.id, ...change },
      { headers: { Cookie: `${csrfHeaders.Cookie}; ${cookie}` } },
    )
  const first = await mark('day 1/PIT_0001.CR3', { heart: true })
  const cookie = first.headers['set-cookie']![0]!.split(';')[0]!
  await mark('PIT_0003.jpg', { heart: true, comment: 'Crop, please' }, cookie)
  await mark('PIT_0002.jpg', { comment: 'Too dark' }, cookie)
  await postForm(site, `/s/${folder.key}/picks`, { submit: '1', name: 'Aino' }, { Cookie: cookie })

  const txt = (...args: string[]) =>
    folders(site, 'favourites', folder.key, '--format', 'txt', ...args)
  expect((await txt()).out).toBe('PIT_0003.jpg, day 1/PIT_0001.CR3\n')
  expect((await txt('--names')).out).toBe('PIT_0003, PIT_0001\n')
  expect((await txt('--names', '--separator', 'space')).out).toBe('PIT_0003 PIT_0001\n')
  const csv = await folders(site, 'picks', folder.key, '--format', 'csv')
  expect(csv.out).toContain('"Crop, please"')
  const all = JSON.parse((await folders(site, 'picks', folder.key, '--format', 'json')).out)
  expect(all.picks).toHaveLength(3)
  expect(all.rounds).toMatchObject([{ name: 'Aino', round: 1 }])
  expect(await json(site, 'picks', folder.key)).toEqual(all)
  expect((await folders(site, 'picks', folder.key, '--json', '--format', 'csv')).code).toBe(2)

  // What was sent is listed also once its file is gone.
  rmSync(join(site.dataDir, 'folders/rally/PIT_0002.jpg'))
  await folders(site, 'sync', folder.key)
  const later = await json(site, 'picks', folder.key)
  const gone = { path: 'PIT_0002.jpg', comment: 'Too dark', gone: true }
  expect(later.picks[0]).toMatchObject(gone)
  expect(later.picks[1]).toMatchObject({ path: 'PIT_0003.jpg', gone: false })
  expect(later.rounds[0].picks[0]).toEqual({ ...gone, heart: false })
  expect((await folders(site, 'picks', folder.key)).out).toMatch(
    /PIT_0002\.jpg +false +Too dark +true/,
  )
  const [{ picker }] = all.picks
  const reopened = await folders(
    site,
    'picks',
    folder.key,
    '--picker',
    String(picker),
    '--reopen',
    '--by',
    'Mika',
  )
  expect(reopened.out).toBe('Reopened for another round.\n')
  expect((await folders(site, 'picks', folder.key, '--reopen')).code).toBe(2)
  expect((await mark('PIT_0003.jpg', { heart: false }, cookie)).status).toBe(200)
})

test('a sync says what is new, changed and gone, and statistics add up', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.jpg': 'a', 'b.jpg': 'b' })
  writeFiles(site, 'rally', { 'b.jpg': 'changed', 'c.jpg': 'c' })
  const [result] = await json(site, 'sync', folder.key)
  expect(result).toMatchObject({ files: 3, added: 1, changed: 1, removed: 0 })
  const stats = await json(site, 'stats', folder.key)
  expect(stats).toMatchObject({ totals: { views: 0 }, days: [] })
  expect(stats.files).toHaveLength(3)
})

test('an expired folder is opened by a later last day, and enable doesn’t say that it is open', async () => {
  await using site = await startSite()
  writeFiles(site, 'rally', { 'a.jpg': 'a' })
  await folders(site, 'add', 'rally', '--title', 'Arctic Rally')
  const closed = async () => {
    const said = 'Arctic Rally has expired. Give it a later last day, or none, first.\n'
    for (const verb of [['enable'], ['notify', '--to', 'a@example.com', '--send']]) {
      const [name = '', ...options] = verb
      expect(await folders(site, name, 'rally', ...options)).toMatchObject({ code: 1, err: said })
    }
  }
  await folders(site, 'expire', 'rally')
  await closed()
  await folders(site, 'revoke', 'rally')
  expect((await folders(site, 'enable', 'rally')).code).toBe(1)
  await folders(site, 'set', 'rally', '--expires', 'never')
  expect((await folders(site, 'enable', 'rally')).out).toBe('Arctic Rally: open\n')
  expect(await json(site, 'show', 'rally')).toMatchObject({ state: 'open' })
  expect((await folders(site, 'stats', 'rally')).out).toContain(
    '0 views, 0 daily visitors, 0 file downloads, 0 ZIP downloads',
  )
})
