import { expect, test } from 'vitest'
import {
  share,
  writeFiles,
  photo,
  cookiesOf,
  inPanel,
  postForm,
} from '../../support/shared-folder.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'
import type { Folder } from '#server/folders/schema.ts'

/** Adds files to a folder as an event goes on. */
async function add(site: Site, folder: Folder, files: Record<string, Buffer | string>) {
  writeFiles(site, folder.directory, files)
  await site.context.features.folders.sync(folder)
}

const look = async (site: Site, key: string, headers = {}, query = '') =>
  (await site.get(`/api/folders/${key}${query}`, { headers })).json as {
    last: number
    fresh: number
    found: number
    after: number | null
    files: { name: string }[]
  }

test('an open gallery hears of new files and shows just these', async () => {
  await using site = await startSite({ sending: false })
  const folder = await share(site, 'rally', { 'b.jpg': await photo(), 'notes.txt': 'x' })
  const { last } = await look(site, folder.key)
  const news = async (after: number | string = last) =>
    (await site.get(`/api/folders/${folder.key}/news?after=${after}`)).json
  expect(await news()).toEqual({ count: 0, photos: 0, last: 0 })
  await add(site, folder, { 'a.jpg': await photo(), 'c.jpg': await photo(), 'times.txt': '1' })
  const heard = await news()
  expect(heard).toMatchObject({ count: 3, photos: 2 })
  const shown = await look(site, folder.key, {}, `?show=new&after=${last}`)
  expect(shown.files.map(({ name }) => name)).toEqual(['a.jpg', 'c.jpg', 'times.txt'])
  expect(shown).toMatchObject({ fresh: 3, found: 3, after: last, last: heard!.last })
  expect(await news(shown.last)).toMatchObject({ count: 0 })
  // Whatever else is asked for, it's the whole folder.
  for (const odd of ['', 'x', '-1', '0', '1e99'])
    expect(await news(odd)).toMatchObject({ count: 5 })
  const all = await look(site, folder.key, {}, `?after=${last}`)
  expect(all).toMatchObject({ found: 5, after: null })
})

test('it says as much as the gallery itself would', async () => {
  await using site = await startSite({ sending: false })
  const secret = await share(site, 'secret', { 'a.txt': 'a' }, { password: 'long enough' })
  const { headers: owner, clientId } = await signIn(site, ['view'], { name: 'Owner' })
  const { headers: other } = await signIn(site, ['view'], { name: 'Other' })
  const owned = await share(site, 'owned', { 'a.txt': 'a' })
  await inPanel(site, clientId, owned)
  const statusOf = async ({ key }: Folder, headers = {}) =>
    (await site.get(`/api/folders/${key}/news?after=1`, { headers })).status
  expect(await statusOf(secret)).toBe(401)
  const entered = await postForm(site, `/s/${secret.key}/password`, { password: 'long enough' })
  expect(await statusOf(secret, { Cookie: cookiesOf(entered) })).toBe(200)
  expect(await statusOf(owned)).toBe(401)
  expect(await statusOf(owned, other)).toBe(401)
  expect(await statusOf(owned, owner)).toBe(200)
  await site.context.features.folders.acts.expire(owned, 'Noora')
  expect(await statusOf(owned, owner)).toBe(410)
  expect((await site.get('/api/folders/nothing/news')).status).toBe(404)
})
