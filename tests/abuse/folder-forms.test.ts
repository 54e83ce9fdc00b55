import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { mailFiles } from '../support/mail-files.ts'
import { csrfHeaders } from '../support/send.ts'
import { idsOf, inPanel, person, share } from '../support/shared-folder.ts'
import { startSite, type Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'

const hour = 3_600_000
const files = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`${n}.jpg`, `${n}`]))

/** Posts a form of a folder from its own address. */
const post = (
  site: Site,
  path: string,
  fields: Record<string, string>,
  from: string,
  Cookie = '',
) =>
  site.post(path, new URLSearchParams(fields).toString(), {
    from,
    headers: {
      ...person,
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-CSRF-TOKEN': '',
      Cookie,
    },
  })

/** Picks a file and sends it, as a browser that no one has seen before. */
async function sendPicks(site: Site, key: string, file: number, from: string) {
  const picked = await post(site, `/s/${key}/picks`, { heart: String(file) }, from)
  const cookie = (picked.headers['set-cookie'] ?? []).map((text) => text.split(';')[0]).join('; ')
  const sent = await post(site, `/s/${key}/picks`, { submit: '1', name: 'Aino' }, from, cookie)
  return [picked.status, sent.status]
}

const notices = (site: Site) =>
  site.context.mails.list().filter(({ kind }) => kind === 'folderFavourites')

test('too many picks from one network are answered 429 with Retry-After, and staff get few mails', async () => {
  await using site = await startSite({ sending: false })
  const folder = await share(site, 'rally', files, { rounds: 'many' })
  const { '0.jpg': file } = idsOf(site, folder)
  const statuses: number[][] = []
  for (let n = 0; n < 30; n += 1) {
    statuses.push(await sendPicks(site, folder.key, file!, '127.0.0.2'))
  }
  expect(statuses.filter(([, sent]) => sent === 303)).toHaveLength(10)
  expect(notices(site).length).toBeLessThanOrEqual(6)
  const refused = await post(site, `/s/${folder.key}/picks`, { heart: String(file) }, '127.0.0.2')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  // Others may go on, and so may this one an hour later.
  expect(await sendPicks(site, folder.key, file!, '127.0.0.3')).toEqual([303, 303])
  site.clock.advance(hour)
  expect(await sendPicks(site, folder.key, file!, '127.0.0.2')).toEqual([303, 303])
})

test('picks from many networks are all kept, and staff get a mail for all that are too many', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const { '0.jpg': file } = idsOf(site, folder)
  for (let n = 0; n < 40; n += 1) {
    expect(await sendPicks(site, folder.key, file!, `127.0.1.${n + 1}`)).toEqual([303, 303])
  }
  expect(site.context.features.folders.favourites.submissions(folder.id)).toHaveLength(40)
  expect(notices(site)).toHaveLength(6)
  const mail = await eventually(() => {
    const found = mailFiles(site.dataDir).find(({ subject }) =>
      subject.startsWith('More favourites'),
    )
    expect(found).toBeDefined()
    return found!
  })
  expect(mail.subject).toBe('More favourites for Arctic Rally')
  expect(mail.text).toContain(`pitlane folders favourites ${folder.key}`)
})

test('a cookie that was made up is a new browser each time', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const { '0.jpg': file } = idsOf(site, folder)
  const statuses: number[] = []
  for (let n = 0; n < 40; n += 1) {
    const Cookie = `${csrfHeaders.Cookie}; folder_picker=${String(n).padStart(22, 'A')}`
    const mark = { file, heart: true }
    const { status } = await site.post(`/api/folders/${folder.key}/marks`, mark, {
      headers: { Cookie },
    })
    statuses.push(status)
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  expect(statuses.at(-1)).toBe(429)
  expect(site.context.features.folders.favourites.visitors(folder.id)).toHaveLength(30)
})

test('a client who is signed in is no new browser', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const { '0.jpg': file } = idsOf(site, folder)
  const { headers, clientId } = await signIn(site, ['view', 'select'])
  await inPanel(site, clientId, folder)
  for (let n = 0; n < 40; n += 1) {
    const mark = { file, heart: n % 2 === 0 }
    const { status } = await site.post(`/api/folders/${folder.key}/marks`, mark, { headers })
    expect(status).toBe(200)
  }
})

test('comments fill no disk: their number, their length and their sum are limited', async () => {
  await using site = await startSite()
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`${n}.jpg`, `${n}`]))
  const folder = await share(site, 'rally', many)
  const ids = Object.values(idsOf(site, folder))
  let cookie = ''
  const comment = async (file: number, text: string) => {
    const reply = await site.post(
      `/api/folders/${folder.key}/marks`,
      { file, comment: text },
      { headers: { Cookie: `${csrfHeaders.Cookie}; ${cookie}` } },
    )
    cookie ||= (reply.headers['set-cookie'] ?? []).map((set) => set.split(';')[0]).join('; ')
    return reply
  }
  const statuses: number[] = []
  for (const id of ids) statuses.push((await comment(id, 'x'.repeat(1000))).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(100)
  const refused = await comment(ids.at(-1)!, 'x'.repeat(1000))
  expect(refused.status).toBe(409)
  expect(refused.json).toMatchObject({ message: 'You’ve reached the limit for comments here.' })
  // A shorter one in place of a long one makes room.
  expect((await comment(ids[0]!, 'short')).status).toBe(200)
  expect((await comment(ids.at(-1)!, 'x'.repeat(900))).status).toBe(200)
})

test('selections of one network are limited, the same again is not counted, and old ones make room', async () => {
  await using site = await startSite({ sending: false })
  const folder = await share(site, 'rally', files)
  const ids = Object.values(idsOf(site, folder))
  const choose = async (choice: readonly number[], from = '127.0.0.2') =>
    (await post(site, `/s/${folder.key}/zip`, { files: choice.join() }, from)).status
  for (let n = 0; n < 40; n += 1) expect(await choose(ids)).toBe(303)
  const statuses: number[] = []
  // Each number is a set of files of its own.
  for (let bits = 1; bits <= 40; bits += 1) {
    statuses.push(await choose(ids.filter((_, index) => bits & (1 << index))))
  }
  expect(statuses.filter((status) => status === 303)).toHaveLength(29)
  expect(await choose(ids.slice(3), '127.0.0.3')).toBe(303)

  const { store } = site.context.features.folders
  await site.context.commit((tx) => {
    for (let n = 0; n < 600; n += 1) {
      store.keepSelection(tx, folder.id, `digest-${n}`, ids, site.clock() + n + 1)
    }
  })
  const kept = site.context.db
    .prepare('SELECT count(*) FROM folder_selections WHERE folder = ?')
    .pluck()
    .get(folder.id)
  expect(kept).toBe(500)
})

test('asking for files again and again is limited by network', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const { '0.jpg': file } = idsOf(site, folder)
  const statuses = new Map<number, number>()
  for (let round = 0; round < 50; round += 1) {
    const replies = await Promise.all(
      Array.from({ length: 50 }, () =>
        site.get(`/s/${folder.key}/files/${file}`, {
          from: '127.0.0.2',
          headers: { Range: 'bytes=0-0' },
        }),
      ),
    )
    for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect(statuses.get(429)).toBeGreaterThan(0)
  expect((await site.get(`/s/${folder.key}/files/${file}`, { from: '127.0.0.3' })).status).toBe(200)
})

test('visitors who change their name each time fill no table', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  await site.context.commit((tx) => {
    for (let n = 0; n < 12_000; n += 1) {
      const visitor = { address: '127.0.0.2', userAgent: `${person['User-Agent']} ${n}` }
      site.context.features.folders.counts.view(tx, folder, visitor)
    }
  })
  const seen = site.context.db.prepare('SELECT count(*) FROM folder_seen').pluck().get()
  expect(seen).toBeLessThanOrEqual(10_000)
  expect(site.context.features.folders.counts.totals(folder.id)).toMatchObject({ views: 12_000 })
})
