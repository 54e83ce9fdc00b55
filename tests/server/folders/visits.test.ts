import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { idsOf, inPanel, person, share, writeFiles } from '../../support/shared-folder.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const hour = 3_600_000
const day = 24 * hour

type View = { fresh: number; found: number; files: { name: string; isNew: boolean }[] }

/** A look at a folder; the visit is written down before it goes on. */
async function look(site: Site, key: string, headers: Record<string, string>, query = '') {
  const { json } = await site.get(`/api/folders/${key}${query}`, {
    headers: { ...person, ...headers },
  })
  await site.context.commit(() => {})
  return json as unknown as View
}

const news = ({ files }: View) => files.filter(({ isNew }) => isNew).map(({ name }) => name)

/** Puts further files into a folder, as a photographer does during an event. */
async function deliver(site: Site, key: string, files: Record<string, string>) {
  const { store, sync } = site.context.features.folders
  writeFiles(site, 'rally', files)
  await sync(store.find(key)!)
}

test('a client sees what came since the last visit, until the visit is over', async () => {
  await using site = await startSite()
  const { key } = await share(site, 'rally', { 'a.jpg': 'a' }, { password: 'gravel-roads' })
  const folder = site.context.features.folders.store.find(key)!
  const owner = await signIn(site, ['view', 'download'], { name: 'Team Kaamos' })
  await inPanel(site, owner.clientId, folder)
  const { headers } = owner

  // The first visit, and what comes during it, has nothing to be told from.
  expect(await look(site, key, headers)).toMatchObject({ fresh: 0 })
  site.clock.advance(day)
  await deliver(site, key, { 'b.jpg': 'b', 'c.jpg': 'c' })
  const second = await look(site, key, headers)
  expect(second.fresh).toBe(2)
  expect(news(second).toSorted()).toEqual(['b.jpg', 'c.jpg'])

  // The same visit goes on, also what comes while it does.
  site.clock.advance(hour)
  await deliver(site, key, { 'd.jpg': 'd' })
  expect(news(await look(site, key, headers)).toSorted()).toEqual(['b.jpg', 'c.jpg', 'd.jpg'])
  const filtered = await look(site, key, headers, '?show=new')
  expect([filtered.found, filtered.files.length]).toEqual([3, 3])

  site.clock.advance(day)
  expect(await look(site, key, headers)).toMatchObject({ fresh: 0 })
  expect((await look(site, key, headers, '?show=new')).files).toEqual([])
})

test('a visitor with favourites is known by their cookie, one without keeps nothing', async () => {
  await using site = await startSite()
  const { key, ...folder } = await share(site, 'rally', { 'a.jpg': 'a' }, { expiresAt: null })
  const visits = () => site.context.features.folders.visits
  await look(site, key, {})
  await look(site, key, { Cookie: `folder_picker=${'x'.repeat(22)}` })

  const { 'a.jpg': file } = idsOf(site, { key, ...folder })
  const marked = await site.post(`/api/folders/${key}/marks`, { file, heart: true })
  const cookie = marked.headers['set-cookie']!.map((text) => text.split(';')[0]).join('; ')
  await look(site, key, { Cookie: cookie })
  site.clock.advance(day)
  await deliver(site, key, { 'b.jpg': 'b' })
  expect(news(await look(site, key, { Cookie: cookie }))).toEqual(['b.jpg'])
  expect(news(await look(site, key, {}))).toEqual([])

  // Half a year later no one remembers the visit.
  site.clock.advance(181 * day)
  await site.context.jobs.runDue()
  await eventually(async () =>
    expect(await site.context.commit((tx) => visits().forget(tx))).toBe(0),
  )
  expect(news(await look(site, key, { Cookie: cookie }))).toEqual([])
})
