import { expect, test } from 'vitest'
import { saveEnquiry, settled } from '../support/enquiry.ts'
import { mailFiles } from '../support/mail-files.ts'
import { startSite, type Site } from '../support/site.ts'

const tokenIn = (site: Site, subject: string, path: string) =>
  new RegExp(`[^k]${path}([\\w-]+)`).exec(
    mailFiles(site.dataDir).findLast((mail) => mail.subject.includes(subject))!.text,
  )![1]!

/** A ticket with the tokens of its two links. */
async function withTicket(site: Site) {
  await saveEnquiry(site)
  await settled(site)
  return {
    visitor: tokenIn(site, 'Thank you', '/ticket/'),
    staff: tokenIn(site, 'abc123', '/desk/tickets/'),
  }
}

const statuses = (site: Site, paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await site.get(path)).status))

test('each link opens its own page alone, and a forged one opens none', async () => {
  await using site = await startSite()
  const { visitor, staff } = await withTicket(site)
  const flipped = (token: string) => (token.startsWith('a') ? 'b' : 'a') + token.slice(1)
  expect(await statuses(site, [`/api/ticket/${visitor}`, `/api/desk/tickets/${staff}`])).toEqual([
    200, 200,
  ])
  const wrong = [
    `/api/ticket/${staff}`,
    `/api/ticket/${flipped(visitor)}`,
    `/api/ticket/${visitor.slice(0, -1)}`,
    '/api/ticket/abc123',
    `/api/desk/tickets/${visitor}`,
    `/api/desk/tickets/${flipped(staff)}`,
    `/api/desk/tickets/${staff}x`,
  ]
  expect(await statuses(site, wrong)).toEqual(wrong.map(() => 404))
  const note = { act: 'note', state: '0', text: 'A note.', name: 'Mika' }
  expect((await site.post(`/api/desk/tickets/${visitor}`, note)).status).toBe(404)
  expect((await site.post(`/api/ticket/${staff}/claim`, {})).status).toBe(404)
  expect(site.context.timeline.of('ticket', 'abc123')).toEqual([])
})

test('links of a ticket that was erased never open the next one with its number', async () => {
  await using site = await startSite()
  const { visitor, staff } = await withTicket(site)
  const { contact } = site.context.features
  await site.context.commit((tx) => contact.actions.erase(tx, 'aino@example.com'))
  await saveEnquiry(site, { Email: 'eero@example.com', Message: 'Another message entirely.' })
  expect(contact.tickets.find('abc123')?.email).toBe('eero@example.com')
  expect(await statuses(site, [`/api/ticket/${visitor}`, `/api/desk/tickets/${staff}`])).toEqual([
    404, 404,
  ])
})

test('what staff or visitors write cannot become a header, markup, or a link of a mail', async () => {
  await using site = await startSite()
  await saveEnquiry(site, { Subject: 'Hello\r\nBcc: all@example.com', Name: '<b>Aino</b>' })
  await settled(site)
  const by = { name: 'Noora', actor: 'Noora' }
  const text = 'Yes.\r\nBcc: all@example.com\n<script>alert(1)</script>'
  await site.context.features.contact.actions.reply('abc123', { text, state: null }, by)
  await settled(site)
  const reply = mailFiles(site.dataDir).find(({ subject }) => subject.startsWith('Re: '))!
  expect(reply.headers.bcc).toBeUndefined()
  expect(reply.html).not.toMatch(/<script|<b>Aino/)
})

test('a link is nowhere in the log, and another site cannot post to its page', async () => {
  await using site = await startSite()
  const { visitor, staff } = await withTicket(site)
  await statuses(site, [`/api/ticket/${visitor}`, `/api/desk/tickets/${staff}`])
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  for (const path of [`/api/ticket/${visitor}/claim`, `/ticket/${visitor}`]) {
    expect((await site.post(path, {}, { headers: foreign })).status).toBe(403)
  }
  const log = site.logLines().join('\n')
  for (const token of [visitor, staff]) expect(log).not.toContain(token)
})
