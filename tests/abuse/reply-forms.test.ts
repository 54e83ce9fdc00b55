import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { saveEnquiry, settled } from '../support/enquiry.ts'
import { eventually } from '../support/eventually.ts'
import { openRaw } from '../support/raw-connection.ts'
import { startSite } from '../support/site.ts'
import { signIn } from '../support/staff.ts'

const path = '/desk/tickets/abc123'
const key = 'a-key-of-one-reply'

/** A site with a ticket, and what writes a form of its desk by hand. */
async function withTicket() {
  const site = await startSite({ renderer: await builtRenderer(dist) })
  await saveEnquiry(site)
  await settled(site)
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const head = (fields: string) =>
    `POST ${path} HTTP/1.1\r\nHost: site\r\nSec-Fetch-Site: same-origin\r\nCookie: ${headers.Cookie}\r\n${fields}\r\n\r\n`
  const count = () =>
    (
      site.context.db.prepare('SELECT count(*) AS count FROM reply_files').get({}) as {
        count: number
      }
    ).count
  return { site, head, count, headers }
}

const field = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (name: string, content: string) =>
  `--x\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n${content}`

test('a reply form that is cut off, is none or is too large leaves nothing behind', async () => {
  const { site, head, count } = await withTicket()
  await using _ = site
  {
    await using cut = await openRaw(site.url)
    cut.write(
      head('Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000') +
        field('key', key) +
        file('a.pdf', 'x'.repeat(5000)),
    )
    cut.socket.destroy()
  }
  for (const [type, body] of [
    ['multipart/form-data', field('key', key)],
    ['multipart/form-data; boundary=x', `${field('key', key)}${file('a.pdf', 'never ends')}`],
  ] as const) {
    await using wrong = await openRaw(site.url)
    wrong.write(head(`Content-Type: ${type}\r\nContent-Length: ${body.length}`) + body)
    expect([type, (await wrong.reply()).status]).toEqual([type, 400])
  }
  await using large = await openRaw(site.url)
  large.write(head('Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 20000000'))
  expect((await large.reply()).status).toBe(413)
  // A body that doesn't say how long it is ends where it is too long.
  await using endless = await openRaw(site.url)
  endless.socket.on('error', () => {})
  endless.write(
    head('Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked') +
      `${(field('key', key) + file('a.pdf', '')).length.toString(16)}\r\n${field('key', key)}${file('a.pdf', '')}\r\n`,
  )
  const piece = `100000\r\n${'x'.repeat(0x100000)}\r\n`
  for (let sent = 0; sent < 12; sent += 1) endless.write(piece)
  expect((await endless.reply()).status).toBe(413)
  expect(count()).toBe(0)
})

test('forms that never end hold up no other, whoever sends them', async () => {
  const { site, head, count, headers } = await withTicket()
  await using _ = site
  const begun = `${field('key', key)}${file('a.pdf', 'x')}`
  const endless = 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000'
  const open = async (text: string) => {
    const connection = await openRaw(site.url)
    connection.write(text + begun)
    return connection
  }
  await using strangers = new AsyncDisposableStack()
  for (let sent = 0; sent < 15; sent += 1) {
    strangers.use(await open(head(endless).replace(/Cookie: [^\r]*\r\n/, '')))
  }
  const whole = (act: string) =>
    `${field('key', key)}${field('act', act)}${field('text', 'Noted.')}${file('a.pdf', 'x')}\r\n--x--\r\n`
  const send = (body: string) =>
    head(`Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${body.length}`) + body
  {
    await using own = await openRaw(site.url)
    own.write(send(whole('reply')))
    // The form of this test has no state that was shown; its file is kept.
    expect((await own.reply()).status).toBe(400)
    expect(count()).toBe(1)
  }
  for (let sent = 0; sent < 3; sent += 1) strangers.use(await open(head(endless)))
  await eventually(async () => {
    await using fourth = await openRaw(site.url)
    fourth.write(send(whole('reply')))
    expect((await fourth.reply()).status).toBe(429)
  })
  // Another ticket's forms have places of their own, and forms without files need none.
  const { status } = await site.get(`/api${path}`, { headers })
  expect(status).toBe(200)
})

test('no name of a field or a file reaches beyond the form', async () => {
  const { site, head, count, headers } = await withTicket()
  await using _ = site
  const body =
    field('__proto__', 'on') +
    field('constructor', 'on') +
    field('filesProblem', 'a problem of somebody else') +
    field('key', key) +
    field('act', 'reply') +
    field('text', '') +
    `${file('../../etc/../\u202egnp.exe', 'x')}\r\n--x--\r\n`
  await using odd = await openRaw(site.url)
  const length = Buffer.byteLength(body)
  odd.socket.write(
    Buffer.from(
      head(`Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}`) + body,
    ),
  )
  const reply = await odd.reply()
  expect(reply.status).toBe(400)
  expect(reply.body.toString()).not.toContain('a problem of somebody else')
  const { waiting } = (await site.get(`/api${path}`, { headers })).json as {
    waiting: { name: string }[]
  }
  expect([count(), waiting.length]).toEqual([1, 1])
  expect(waiting[0]!.name).toContain('gnp.exe')
  expect(waiting[0]!.name).not.toMatch(/[/\\\r\n\u202e]/)
})
