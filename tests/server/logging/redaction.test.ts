import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { enquiry } from '../../support/enquiry.ts'
import { openEvents } from '../../support/event-stream.ts'
import { eventually } from '../../support/eventually.ts'
import { send } from '../../support/send.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

/** What must never be in a log; each is sent in many places. */
const secrets = {
  code: 'XYZZY-PLUGH-42',
  csrf: 'feedfacecafebeef0123456789abcdef',
  cookie: 'cookie-value-quux',
  token: 'token-in-query-garply',
  proof: 'proof-header-waldo',
  password: 'folder-password-fred',
  path: 'path-that-opens-things-xyzzy',
  authorization: 'Bearer thud-token',
  email: 'secretperson@private.example',
  message: 'our budget is four hundred thousand',
  subject: 'confidential-subject-grault',
  name: 'Confidential Name Corge',
}

/** Every address that takes something, and some that do not exist. */
const paths = [
  '/',
  '/news',
  '/news/nothing',
  '/portfolio',
  '/search',
  '/services/photography',
  '/about-us',
  '/contactwindow',
  '/client-zone',
  '/panel',
  '/panel/kaamos',
  '/links',
  '/debug/logs',
  '/test',
  '/l/nothing',
  '/l/nothing+',
  '/l/nothing.svg',
  '/s/nothing',
  '/s/nothing/zip',
  '/no-such-page',
  '/items/news',
  '/items/nothing',
  '/assets/nothing',
  '/functions/generate-sitemap',
  '/sitemap.xml',
  '/robots.txt',
  '/news/rss.xml',
  '/subscription/form',
  '/api/session',
  '/api/form-proof',
  '/api/health',
  '/api/panel',
  '/api/search',
  '/api/nothing',
  '/api/links',
  '/api/links/nothing/view',
  '/api/logs',
  '/api/logs/access',
]

/** Addresses that are secrets themselves. */
const opening = [
  '/s',
  '/panel',
  ...['confirm', 'leave', 'again'].map((verb) => `/subscription/${verb}`),
].map((start) => `${start}/${secrets.path}`)

const posts = [
  '/api/save-contact-form',
  '/api/send-email',
  '/api/authenticate-client',
  '/api/logout',
  '/api/links',
  '/api/consent',
  '/subscription/form',
  '/client-zone',
  '/contactwindow',
  ...opening,
  '/s/nothing/password',
  '/s/nothing/picks',
  '/api/folders',
  '/api/nothing',
  '/',
]

const headers = {
  Cookie: `client=${secrets.cookie}; X-CSRF-TOKEN=${secrets.csrf}`,
  'X-CSRF-TOKEN': secrets.csrf,
  'X-Form-Proof': secrets.proof,
  Authorization: secrets.authorization,
  Referer: `https://elsewhere.example/?token=${secrets.token}`,
}

const body = {
  secretCode: secrets.code,
  code: secrets.code,
  password: secrets.password,
  email: secrets.email,
  name: secrets.name,
  message: secrets.message,
  subject: secrets.subject,
  Name: secrets.name,
  Email: secrets.email,
  Subject: secrets.subject,
  Message: secrets.message,
  'Ticket ID': 'abc123',
  Date: '2026-11-20T12:00:00.000Z',
  sender: { email: secrets.email, name: secrets.name },
  to: [{ email: secrets.email, name: secrets.name }],
  htmlContent: `<p>${secrets.message}</p>`,
  target: `https://user:${secrets.password}@example.com/?token=${secrets.token}`,
}

/** The texts of the secrets, and how they look in an address. */
const traces = Object.values(secrets).flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  new URLSearchParams([['', secret]]).toString().slice(1),
])

async function provoke(site: Site) {
  const query = new URLSearchParams({
    token: secrets.token,
    q: secrets.message,
    code: secrets.code,
    email: secrets.email,
    proof: secrets.proof,
  }).toString()
  for (const path of [...paths, ...opening]) await site.get(`${path}?${query}`, { headers })
  const json = { ...headers, 'Content-Type': 'application/json' }
  const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }
  const fields = new URLSearchParams(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()
  for (const path of posts) {
    const url = `${site.url}${path}?token=${secrets.token}`
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      await send(url, { method, headers: json, body })
    }
    await send(url, { method: 'POST', headers: form, body: fields })
    // Cut short: the parser complains of what it saw.
    await send(url, { method: 'POST', headers: json, body: JSON.stringify(body).slice(0, -30) })
    await send(url, { method: 'POST', headers: { ...json, 'Content-Type': 'text/plain' }, body })
  }
  const mail = enquiry({ Email: secrets.email, Name: secrets.name, Message: secrets.message })
  await site.post('/api/save-contact-form', mail)
}

test('no secret that is sent through any route stands in the log, its file or the viewer', async () => {
  await using site = await startSite({
    logFiles: true,
    // No one listens there, so every email fails and is complained of.
    env: { SMTP_URL: `smtp://${encodeURIComponent(secrets.name)}:${secrets.password}@127.0.0.1:9` },
  })
  const staff = await signIn(site, ['ops', 'links'])
  using viewer = await openEvents(`${site.url}/api/logs`, staff.headers)
  await site.post('/api/links', body, staff)
  await provoke(site)
  // A plain name may be that of a migration or a page.
  const { name: _, ...named } = body
  site.context.log.error(
    {
      err: Object.assign(new Error('refused'), { ...named, message: 'refused' }),
      ...named,
      headers,
      nested: [named],
    },
    'an unhappy place logs everything it has',
  )
  await eventually(() => expect(viewer.events.at(-1)?.data).toContain('unhappy'))
  await site.context.outbox.stop()

  const places = {
    output: site.logLines().join(''),
    recentLog: site.context.recentLog.since(0).lines.join('\n'),
    viewer: viewer.events.map(({ data }) => data).join('\n'),
    file: '',
  }
  await site.context.close()
  places.file = readFileSync(join(site.dataDir, 'logs/pitlane.log'), 'utf8')
  const session = /client=([\w-]+)/.exec(staff.headers.Cookie ?? '')?.[1] ?? ''
  for (const [place, text] of Object.entries(places)) {
    expect(text, place).toContain('/api/save-contact-form')
    const found = [...traces, staff.code, session].filter((trace) => text.includes(trace))
    expect([place, found]).toEqual([place, []])
  }
})
