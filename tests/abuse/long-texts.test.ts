import { beforeAll, expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { enquiry, mailCalls } from '../support/enquiry.ts'
import { openRaw } from '../support/raw-connection.ts'
import { startSite, type Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'

/** As long as Node lets a head be, and much longer than any field. */
const length = 10_000
const pieces = [
  'a',
  'a@',
  'a.',
  '@.',
  '@',
  '.',
  '/',
  '-',
  ' ',
  '<',
  '&',
  '%41',
  'ä',
  '\n',
  '"',
  '=',
  '0',
]
const texts = pieces.flatMap((piece) => {
  const long = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
  return [long, `a@${long}\u0001`, `${long} x`, `/a${long}b/`]
})

let site: Site
let staff: Record<string, string>
let clients = 0

beforeAll(async () => {
  site = await startSite({ renderer: await builtRenderer(dist) })
  staff = (await signIn(site, ['view', 'links', 'ops'])).headers
  return () => site[Symbol.asyncDispose]()
})

/** Another client each time, so no limit answers in place of what is tested. */
const from = () => {
  clients += 1
  return `127.${1 + (clients >> 16)}.${(clients >> 8) & 255}.${clients & 255}`
}

/** A form with as little encoded as can be, so a long text does not become too long a body. */
const urlencoded = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, text]) => `${name}=${text.replaceAll(/[^!-~]|[&%+=]/g, encodeURIComponent)}`)
    .join('&')

const form = (path: string, fields: Record<string, string>) =>
  site.post(path, urlencoded(fields), {
    from: from(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
  })
const json = (path: string, body: unknown, headers = {}) =>
  site.post(path, body, { from: from(), headers })
const get = (path: string) =>
  site.get(path, { from: from(), headers: { ...staff, Accept: 'text/html' } })

/** Sends a head letter by letter: what clients would encode or refuse, too. */
async function raw(target: string, header = '') {
  await using connection = await openRaw(site.url, { from: from() })
  connection.write(`GET ${target} HTTP/1.1\r\nHost: site\r\n${header}Connection: close\r\n\r\n`)
  return (await connection.closed()).length
}

const { confirmation } = mailCalls()
const password = { password: 'x'.repeat(20) }
/** What can be in a request line and in a header, without ending it. */
const inline = (text: string) => text.replaceAll(/[^\u0021-\u007e]/g, '')
const encoded = encodeURIComponent

/** Every place into which a stranger can write a text. */
const inputs: Record<string, (text: string) => Promise<unknown>> = {
  'the search page': (text) => get(`/search?q=${encoded(text).slice(0, 12_000)}`),
  'the search API': (text) => get(`/api/search?q=${encoded(text).slice(0, 12_000)}`),
  'the kind of a search': (text) => get(`/search?q=kymi&type=${inline(text)}`),
  'the address of the newsletter': (email) =>
    form('/subscription/form', { l: 'newsletter', email }),
  'the list of the newsletter': (l) => form('/subscription/form', { l, email: 'a@example.com' }),
  'the name in the newsletter': (name) =>
    form('/subscription/form', { l: 'newsletter', email: 'nobody', name }),
  ...Object.fromEntries(
    ['Name', 'Email', 'Subject', 'Message', 'Ticket ID', 'Date'].map((field) => [
      `${field} of the contact form`,
      (text: string) => json('/api/save-contact-form', enquiry({ [field]: text })),
    ]),
  ),
  ...Object.fromEntries(
    ['name', 'email', 'subject', 'message', 'captcha', 'x', 'proof', 'ticket'].map((field) => [
      `${field} of the form without scripts`,
      (text: string) => form('/contactwindow', { [field]: text }),
    ]),
  ),
  'the proof of a form': (text) =>
    json('/api/save-contact-form', enquiry(), { 'X-Form-Proof': inline(text) }),
  'the subject of a mail': (subject) => json('/api/send-email', { ...confirmation, subject }),
  'the text of a mail': (htmlContent) => json('/api/send-email', { ...confirmation, htmlContent }),
  'the recipient of a mail': (email) =>
    json('/api/send-email', { ...confirmation, to: [{ email, name: 'x' }] }),
  'a secret code': (secretCode) => json('/api/authenticate-client', { secretCode }),
  'the password of a folder': (text) =>
    form('/s/nothing/password', { ...password, password: text }),
  'the target of a link': (target) => json('/api/links', { target }, staff),
  'the code of a link': (code) =>
    json('/api/links', { target: 'https://example.com/', code }, staff),
  'the search for links': (text) => get(`/links?q=${inline(text)}`),
  'the path of a lookup': (text) => get(`/api/content/seo?path=${encoded(text).slice(0, 12_000)}`),
  'a filter of the content API': (text) => get(`/items/news?filter=${inline(text)}`),
  'a field of the content API': (text) =>
    get(`/items/news?${inline(text)}[]=1&fields=${inline(text)}`),
  'the size of a picture': (text) => get(`/assets/og-image?width=${inline(text)}`),
  'a page number': (text) => get(`/news?page=${inline(text)}`),
  'a category': (text) => get(`/news?category=${inline(text)}`),
  'a project': (text) =>
    get(`/portfolio?project=${inline(text)}&year=${inline(text).slice(0, 2000)}`),
  ...Object.fromEntries(
    [
      '/',
      '/news/',
      '/services/',
      '/panel/',
      '/s/',
      '/s/x/files/',
      '/l/',
      '/assets/',
      '/items/',
    ].map((path) => [`an address below ${path}`, (text: string) => raw(path + inline(text))]),
  ),
  'a query': (text) => raw(`/?${inline(text)}`),
  ...Object.fromEntries(
    ['Accept', 'Accept-Encoding', 'Cookie', 'If-None-Match', 'If-Modified-Since', 'Range'].map(
      (name) => [`the header ${name}`, (text: string) => raw('/', `${name}: ${inline(text)}\r\n`)],
    ),
  ),
  ...Object.fromEntries(
    ['User-Agent', 'Referer', 'Host', 'Origin', 'Content-Type', 'X-Forwarded-For'].map((name) => [
      `the header ${name}`,
      (text: string) => raw('/l/nothing', `${name}: ${inline(text)}\r\n`),
    ]),
  ),
}

/** Milliseconds of the processor that an act costs this process, which is the server, too. */
async function cost(act: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

test.each(Object.keys(inputs))('10 000 equal signs in %s cost next to nothing', async (name) => {
  const send = inputs[name]!
  await send('warm')
  await send('up')
  for (const text of texts) {
    let least = Infinity
    // What other work of the process costs comes once, what a text costs comes each time.
    for (let time = 0; time < 20 && least > 25; time += 1) {
      least = Math.min(least, await cost(() => send(text)))
    }
    expect([text.slice(0, 12), least < 50 ? 'little' : least]).toEqual([
      text.slice(0, 12),
      'little',
    ])
  }
})
