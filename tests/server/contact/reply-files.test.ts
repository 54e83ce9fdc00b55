import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { caughtUp, saveEnquiry, settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { actFields } from '../../support/page-form.ts'
import { runCli } from '../../support/run-cli.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const page = '/desk/tickets/abc123'
const megabyte = 1024 * 1024

type Sent = { name: string; content: string | Uint8Array<ArrayBuffer> }

/** Sends the reply form as a browser without scripts does, with files. */
async function sendReply(
  site: Site,
  fields: Record<string, string>,
  files: readonly Sent[],
  { to = page, cookie }: { to?: string; cookie?: string } = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const { name, content } of files) form.append('files', new Blob([content]), name)
  const response = await fetch(site.url + to, {
    method: 'POST',
    redirect: 'manual',
    body: form,
    headers: { ...(cookie && { Cookie: cookie }), 'Sec-Fetch-Site': 'same-origin' },
  })
  return { status: response.status, text: await response.text() }
}

/** A site with a ticket, and someone at its desk. */
async function atDesk() {
  const site = await startSite({ renderer: await builtRenderer(dist) })
  await saveEnquiry(site)
  await settled(site)
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const cookie = headers.Cookie!
  const shown = async () => (await site.get(page, { headers: { Cookie: cookie } })).text
  const fields = actFields(await shown(), 'reply')
  return { site, cookie, shown, fields, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() }
}

const plan = { name: 'plan.txt', content: 'Friday: gravel.' }

test('a reply takes its files along: in the email, at the desk and on the visitor’s page', async () => {
  await using desk = await atDesk()
  const { site, cookie, shown, fields } = desk
  const sent = await sendReply(
    site,
    { ...fields, text: 'Here’s the plan.' },
    [plan, { name: 'C:\\Works\\Räikkönen kuva.jpg', content: new Uint8Array([1, 2, 3]) }],
    { cookie },
  )
  expect(sent.status).toBe(303)
  await settled(site)
  const mail = mailFiles(site.dataDir).at(-1)!
  expect(mail.text).toContain('Attached: plan.txt (15 bytes), Räikkönen kuva.jpg (3 bytes)')
  expect(mail.attachments.map(({ type, bytes }) => [type, bytes.toString('latin1')])).toEqual([
    ['text/plain', plan.content],
    ['image/jpeg', '\u0001\u0002\u0003'],
  ])
  const [, address] = /href="(\/desk\/tickets\/abc123\/files\/\d+)"/.exec(await shown())!
  // Answered, it is due no more.
  expect(await shown()).not.toContain('Reply due')
  const own = await site.get(address!, { headers: { Cookie: cookie } })
  expect([own.status, own.text]).toEqual([200, plan.content])
  expect(own.headers['content-disposition']).toBe('attachment; filename=plan.txt')
  expect((await site.get(address!)).status).toBe(401)
  const token = /\/ticket\/([\w-]+)/.exec(mail.text)![1]!
  const theirs = (await site.get(`/ticket/${token}`)).text
  expect(theirs).toContain('Räikkönen kuva.jpg (3 bytes)')
  const file = /href="(\/ticket\/[\w-]+\/files\/\d+)"/.exec(theirs)![1]!
  expect((await site.get(file)).text).toBe(plan.content)
  expect((await site.get(file.replace(token, 'nosuch'))).status).toBe(404)
})

test('a form that comes back keeps its files, and leaves out what its sender unticks', async () => {
  await using desk = await atDesk()
  const { site, cookie, fields } = desk
  const refused = await sendReply(
    site,
    { ...fields, text: '' },
    [plan, { name: 'wrong.txt', content: 'No.' }],
    { cookie },
  )
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('Please write a reply')
  expect(refused.text).toContain('Leave out plan.txt (15 bytes)')
  const [, wrong] = /name="(leave-\d+)"[^>]*>(?:(?!<label).)*?wrong\.txt/.exec(refused.text)!
  const again = { ...actFields(refused.text, 'reply'), text: 'Here’s the plan.', [wrong!]: 'on' }
  // Chosen once more, it's the same file.
  expect((await sendReply(site, again, [plan], { cookie })).status).toBe(303)
  await settled(site)
  expect(
    mailFiles(site.dataDir)
      .at(-1)!
      .attachments.map(({ filename }) => filename),
  ).toEqual(['plan.txt'])
})

test('a form that was sent before, come again with another file, is refused; the same one again is not', async () => {
  await using desk = await atDesk()
  const { site, cookie, fields } = desk
  const reply = { ...fields, text: 'Here’s the plan.' }
  const send = (...files: Sent[]) => sendReply(site, reply, files, { cookie })
  expect([(await send(plan)).status, (await send(plan)).status]).toEqual([303, 303])
  const { status, text } = await send(plan, { name: 'more.txt', content: 'More.' })
  expect(status).toBe(409)
  expect(text).toContain('already submitted with different details')
  await settled(site)
  const replies = mailFiles(site.dataDir).filter(({ subject }) => subject.startsWith('Re: '))
  expect(replies.map(({ attachments }) => attachments.length)).toEqual([1])
})

test.each([
  [
    'more than 10 MB in all',
    [
      { name: 'a.pdf', content: new Uint8Array(6 * megabyte) },
      { name: 'b.pdf', content: new Uint8Array(4 * megabyte + 1) },
    ],
    '10 MB in all',
  ],
  [
    'more than 10',
    Array.from({ length: 11 }, (_, n) => ({ name: `${n}.txt`, content: `${n}` })),
    'up to 10 files',
  ],
  ['an empty one', [{ name: 'empty.pdf', content: '' }], '“empty.pdf” is empty'],
])('a reply with %s comes back with its text and says why', async (_, files, why) => {
  await using desk = await atDesk()
  const { site, cookie, fields } = desk
  const { status, text } = await sendReply(site, { ...fields, text: 'Here.' }, files, { cookie })
  expect(status).toBe(400)
  expect(text).toContain(why)
  expect(text).toContain('>Here.</textarea>')
  expect(site.context.features.contact.tickets.messages('abc123')).toEqual([])
})

test('nobody without the right to a ticket leaves a file there, and no reply brings another’s along', async () => {
  await using desk = await atDesk()
  const { site, cookie, fields } = desk
  const { status, text } = await sendReply(site, { ...fields, text: 'Mine.' }, [plan])
  expect(status).toBe(401)
  expect(text).toContain('Mine.')
  await saveEnquiry(site, { 'Ticket ID': 'xyz789', Message: 'Another one.' })
  // The same key at another ticket.
  const other = await site.get('/desk/tickets/xyz789', { headers: { Cookie: cookie } })
  const theirs = { ...actFields(other.text, 'reply'), key: fields.key!, text: '' }
  await sendReply(site, theirs, [plan], { to: '/desk/tickets/xyz789', cookie })
  expect((await sendReply(site, { ...fields, text: 'Yes.' }, [], { cookie })).status).toBe(303)
  await settled(site)
  const sent = mailFiles(site.dataDir).findLast(({ subject }) => subject.startsWith('Re: '))!
  expect(sent.attachments).toEqual([])
  // A file that was never sent can't be downloaded.
  const { waiting } = (await site.get('/api/desk/tickets/xyz789', { headers: { Cookie: cookie } }))
    .json as { waiting: { id: number }[] }
  const address = (ticket: string) => `/desk/tickets/${ticket}/files/${waiting[0]!.id}`
  const get = (ticket: string) => site.get(address(ticket), { headers: { Cookie: cookie } })
  expect([(await get('xyz789')).status, (await get('abc123')).status]).toEqual([404, 404])
})

test('files of forms that became no reply are forgotten after a day, those of a ticket with it', async () => {
  await using desk = await atDesk()
  const { site, cookie, fields } = desk
  await sendReply(site, { ...fields, text: '' }, [plan], { cookie })
  const count = () =>
    site.context.db.prepare('SELECT count(*) AS count FROM reply_files').get({}) as {
      count: number
    }
  expect(count().count).toBe(1)
  site.clock.advance(2 * 86_400_000)
  await caughtUp(site)
  expect(count().count).toBe(0)
  const file = join(site.dataDir, 'quote.txt')
  writeFileSync(file, 'One day, one price.')
  const run = (...args: string[]) => runCli(['tickets', 'reply', 'abc123', ...args], site)
  const { out } = await run('--text', 'Our quote.', '--attach', file)
  expect(out).toBe('abc123: answered, email with quote.txt queued to aino@example.com\n')
  const shown = await runCli(['tickets', 'show', 'abc123'], site)
  expect(shown.out).toContain('Attached: quote.txt (19 bytes)')
  expect(await run('--text', 'Once more.', '--attach', '/nosuch.pdf')).toMatchObject({
    code: 1,
    err: 'File not found: /nosuch.pdf.\n',
  })
  const exported = await runCli(['privacy', 'export', 'aino@example.com'], site)
  expect(exported.out).toContain('quote.txt (19 bytes)')
  await runCli(['privacy', 'erase', 'aino@example.com', '--yes'], site)
  expect(count().count).toBe(0)
})
