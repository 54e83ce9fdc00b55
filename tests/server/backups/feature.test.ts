import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noContent } from '../../support/backups.ts'
import { eventually } from '../../support/eventually.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite, type Site } from '../../support/site.ts'

const day = 86_400_000

type Listed = { name: string; kind: string }

const list = async (site: Site, kind: string) =>
  (JSON.parse(await runOn(site, 'backup', 'list', '--json')) as Listed[]).filter(
    (each) => each.kind === kind,
  )

const doctor = async (site: Site) => {
  const check = site.context.contributions().doctor.find((each) => each.check === 'backups')!
  return check.look()
}

const health = async (site: Site) => (await site.get('/api/health')).json as { backups: string }

/** Lets some nights go by. */
async function nights(site: Site, count: number): Promise<void> {
  for (let night = 0; night < count; night += 1) {
    site.clock.advance(day)
    await site.context.jobs.runDue()
  }
}

test('every night makes a backup, the last seven are kept, and those by hand stay', async () => {
  await using site = await startSite({ sending: false, env: noContent })
  await site.context.jobs.runDue()
  expect(await doctor(site)).toEqual({ state: 'warn', text: 'none yet' })
  await runOn(site, 'backup', 'create')
  await nights(site, 9)
  const daily = await list(site, 'daily')
  expect(daily).toHaveLength(7)
  expect(await list(site, 'manual')).toHaveLength(1)
  expect(daily[0]!.name).toBe('2026-11-29T12-00-00-000Z')
  expect(await doctor(site)).toEqual({ state: 'ok', text: 'the newest is 0 days old' })
  expect(await runOn(site, 'backup', 'check', daily[6]!.name)).toContain('Backup OK')
  site.clock.advance(2 * day)
  expect(await doctor(site)).toEqual({ state: 'warn', text: 'the newest is 2 days old' })
})

test('a night without a backup is named by health and doctor, until one is made', async () => {
  await using site = await startSite({ sending: false, env: noContent })
  const directory = join(site.dataDir, 'backups')
  await site.context.jobs.runDue()
  writeFileSync(directory, 'in the way')
  expect((await doctor(site)).text).toContain(
    `none yet; Backups can’t be written to ${directory}. `,
  )
  await eventually(async () =>
    expect(await health(site)).toMatchObject({ status: 'degraded', backups: 'unwritable' }),
  )
  await nights(site, 1)
  expect(await health(site)).toMatchObject({ status: 'degraded', backups: 'failing' })
  expect(await doctor(site)).toMatchObject({
    state: 'warn',
    text: expect.stringContaining('none yet; the last attempt failed: '),
  })
  rmSync(directory)
  await nights(site, 1)
  expect(await health(site)).toMatchObject({ backups: 'ok' })
  expect(await doctor(site)).toMatchObject({ state: 'ok' })
})

test('backups of any kind are gone after 90 days, but the newest three stay', async () => {
  await using site = await startSite({ sending: false, env: noContent })
  await runOn(site, 'backup', 'create')
  const directory = join(site.dataDir, 'backups')
  // What a restore set aside, with a manifest that no one can read.
  mkdirSync(join(directory, 'before-restore-2026-11-20T12-00-00-000Z'))
  site.clock.advance(89 * day)
  await site.context.jobs.runDue()
  expect(await list(site, 'manual')).toHaveLength(1)
  expect(await list(site, 'damaged')).toHaveLength(1)
  site.clock.advance(2 * day)
  await site.context.jobs.runDue()
  expect(await list(site, 'damaged')).toEqual([])
  // Two nights have made one each since.
  expect(await list(site, 'manual')).toHaveLength(1)
  await nights(site, 2)
  expect(await list(site, 'manual')).toEqual([])
})

test('a large file that has not changed takes room once, a changed one is copied', async () => {
  await using site = await startSite({ sending: false, env: noContent })
  const film = join(site.dataDir, 'folders/film')
  mkdirSync(film, { recursive: true })
  for (const name of ['same.mp4', 'other.mp4']) {
    writeFileSync(join(film, name), Buffer.alloc(2 * 1024 * 1024, name))
  }
  await runOn(site, 'backup', 'create')
  writeFileSync(join(film, 'other.mp4'), Buffer.alloc(2 * 1024 * 1024, 'new'))
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(film, 'other.mp4'), later, later)
  site.clock.advance(day)
  await runOn(site, 'backup', 'create')
  const [newer, older] = await list(site, 'manual')
  const inode = (backup: string, name: string) =>
    statSync(join(site.dataDir, 'backups', backup, 'folders/film', name)).ino
  expect(inode(newer!.name, 'same.mp4')).toBe(inode(older!.name, 'same.mp4'))
  expect(inode(newer!.name, 'other.mp4')).not.toBe(inode(older!.name, 'other.mp4'))
  // The site's own file is never the backup's: who writes into it changes no backup.
  expect(inode(newer!.name, 'same.mp4')).not.toBe(statSync(join(film, 'same.mp4')).ino)
  await runOn(site, 'backup', 'remove', older!.name, '--yes')
  expect(await runOn(site, 'backup', 'check', newer!.name)).toContain('Backup OK')
  expect(
    readdirSync(join(site.dataDir, 'backups')).filter((name) => !name.startsWith('.')),
  ).toEqual([newer!.name])
})
