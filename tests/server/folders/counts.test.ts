import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { idsOf, noise, person, share } from '../../support/shared-folder.ts'
import { createClock, startSite, type Site } from '../../support/site.ts'

const bot = { 'User-Agent': 'WhatsApp/2.23.20.0' }
const day = 86_400_000

const get = (site: Site, path: string, headers: Record<string, string> = person, from?: string) =>
  site.get(path, { headers, ...(from && { from }) })

test('views and visitors of a day are counted without machines and without addresses', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.jpg': 'a' })
  const page = `/api/folders/${folder.key}`
  await get(site, page)
  await get(site, page)
  await get(site, page, person, '127.0.0.5')
  await get(site, page, bot)
  await get(site, page, { 'User-Agent': '' })
  const { counts } = site.context.features.folders
  await eventually(() =>
    expect(counts.days(folder.id, 9)).toEqual([
      { day: '2026-11-20', views: 3, visitors: 2, files: 0, zips: 0 },
    ]),
  )
  site.clock.advance(day)
  await get(site, page)
  await eventually(() => expect(counts.totals(folder.id)).toMatchObject({ views: 4, visitors: 3 }))
  const kept = JSON.stringify(site.context.db.prepare('SELECT * FROM folder_seen').all())
  expect(kept).not.toContain('127.0.0')
  site.clock.advance(3 * day)
  await site.context.commit((tx) => counts.forgetSeen(tx))
  expect(site.context.db.prepare('SELECT count(*) FROM folder_seen').pluck().get()).toBe(0)
})

test('a download counts once, however often it is resumed', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.mov': noise(5000), 'b.mov': noise(5000) })
  const ids = idsOf(site, folder)
  const file = `/s/${folder.key}/files/${ids['a.mov']}`
  await get(site, file)
  await get(site, file, { ...person, Range: 'bytes=1000-' })
  await get(site, file, bot)
  // Looking at a film isn't a download.
  await get(site, `/s/${folder.key}/view/${ids['b.mov']}`)
  await get(site, `/s/${folder.key}/zip`)
  await get(site, `/s/${folder.key}/zip`, { ...person, Range: 'bytes=9-' })
  const { counts, store } = site.context.features.folders
  expect(counts.totals(folder.id)).toMatchObject({ files: 1, zips: 1 })
  expect(store.files(folder.id).map(({ downloads }) => downloads)).toEqual([1, 0])
})

test('when all downloads are used up, what has begun may be finished and nothing else', async () => {
  await using site = await startSite()
  const files = { 'a.mov': noise(5000), 'b.mov': noise(5000) }
  const folder = await share(site, 'rally', files, { maxDownloads: 1 })
  const ids = idsOf(site, folder)
  const path = (name: string) => `/s/${folder.key}/files/${ids[name]}`
  expect((await get(site, path('a.mov'))).status).toBe(200)
  expect((await get(site, path('a.mov'), { ...person, Range: 'bytes=10-' })).status).toBe(206)
  expect((await get(site, path('b.mov'))).status).toBe(429)
  expect((await get(site, path('b.mov'), { ...person, Range: 'bytes=1-' })).status).toBe(429)
  expect((await get(site, `/s/${folder.key}/zip`)).status).toBe(429)
  // Calling oneself a machine lifts no limit.
  expect((await get(site, path('b.mov'), bot)).status).toBe(429)
  const { json } = await get(site, `/api/folders/${folder.key}`)
  expect(json!.downloadsLeft).toBe(0)
})

test('what has begun before midnight is finished after it, also when the clocks went forward that day', async () => {
  // 29 March 2026 has 23 hours; 23:30 in Helsinki.
  await using site = await startSite({ clock: createClock(Date.UTC(2026, 2, 29, 20, 30)) })
  const folder = await share(site, 'rally', { 'a.mov': noise(5000) }, { maxDownloads: 1 })
  const path = `/s/${folder.key}/files/${idsOf(site, folder)['a.mov']}`
  expect((await get(site, path)).status).toBe(200)
  site.clock.advance(day / 24)
  expect((await get(site, path, { ...person, Range: 'bytes=10-' })).status).toBe(206)
})

test('staff get one mail a week before a folder expires', async () => {
  await using site = await startSite({ sending: false })
  const { store } = site.context.features.folders
  const { runDue } = site.context.jobs
  const folder = await share(site, 'rally', { 'a.jpg': 'a' })
  const mails = () => site.context.mails.list().filter(({ kind }) => kind === 'folderExpiring')
  site.clock.advance(82 * day)
  await runDue()
  expect(mails()).toEqual([])
  site.clock.advance(2 * day)
  await runDue()
  await runDue()
  expect(mails().length).toBe(1)
  expect(JSON.parse(mails()[0]!.data!)).toMatchObject({ title: 'Arctic Rally', key: folder.key })
  site.clock.advance(day)
  await runDue()
  expect(mails().length).toBe(1)
  // Another end is another warning.
  await site.context.commit((tx) => store.change(tx, folder, { expiresAt: site.clock() + 6 * day }))
  site.clock.advance(day)
  await runDue()
  expect(mails().length).toBe(2)
})
