import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startSite } from '../support/site.ts'
import { signIn } from '../support/staff.ts'

/** Texts that may stand where a token does; none of them is one. */
const texts = {
  'one byte': 'x',
  'ten kilobytes': 'x'.repeat(10_000),
  'a longest token and one more': 'x'.repeat(2_001),
  'a signature over nothing': 'x'.repeat(43),
  digits: '1',
  dots: '...',
  'two dots': 'a.b.c',
  'a reference': 'B-7K3M9QTX',
  'another alphabet': encodeURIComponent('ключ 🏁'),
  'ten kilobytes of another alphabet': encodeURIComponent('я'.repeat(1_600)),
  'a null byte': '%00',
  quotes: encodeURIComponent(`'"><script>`),
  JSON: encodeURIComponent('{"a":1}'),
  'a prototype': '__proto__',
}

/** Every address that a token opens. */
const reads: ((token: string) => string)[] = [
  (token) => `/booking/${token}`,
  (token) => `/booking/${token}.ics`,
  (token) => `/booking/staff/${token}`,
  (token) => `/booking/feed/${token}.ics`,
  (token) => `/booking/sheet/${token}`,
  (token) => `/booking/confirm/${token}`,
  (token) => `/calendar/${token}`,
  (token) => `/calendar/${token}/event.ics`,
  (token) => `/api/bookings/by-link/${token}`,
  (token) => `/api/bookings/by-link/${token}/days`,
  (token) => `/api/bookings/by-staff-link/${token}`,
  (token) => `/api/shop/orders/${token}`,
  (token) => `/shop/checkout/success?order=${token}`,
  (token) => `/shop/orders/${token}/invoice.pdf`,
  (token) => `/shop/downloads/${token}/file.zip`,
  (token) => `/shop/downloads/a/${token}`,
  (token) => `/subscription/confirm/${token}`,
  (token) => `/subscription/leave/${token}`,
  (token) => `/s/${token}`,
  (token) => `/s/${token}/zip`,
  (token) => `/api/folders/${token}`,
  (token) => `/l/${token}`,
  (token) => `/panel/pit-wall/files/${token}`,
  (token) => `/ticket/${token}`,
  (token) => `/desk/tickets/${token}`,
  (token) => `/api/ticket/${token}`,
  (token) => `/api/desk/tickets/${token}`,
]

const writes: [(token: string) => string, unknown][] = [
  [(token) => `/api/bookings/by-link/${token}/cancel`, {}],
  [(token) => `/api/bookings/by-link/${token}/accept`, {}],
  [(token) => `/api/bookings/by-link/${token}/refuse`, {}],
  [(token) => `/api/bookings/by-link/${token}/billing`, { city: 'Oulu' }],
  [(token) => `/api/bookings/by-link/${token}/move`, { from: '2027-02-10', to: '2027-02-10' }],
  [(token) => `/api/bookings/by-staff-link/${token}`, { act: 'confirm' }],
  [(token) => `/api/shop/orders/${token}/code`, {}],
  [(token) => `/api/ticket/${token}`, { text: 'More.', key: 'a-key-of-one-message' }],
  [(token) => `/api/ticket/${token}/claim`, {}],
  [
    (token) => `/api/desk/tickets/${token}`,
    { act: 'note', state: '0', text: 'A note.', name: 'Mika' },
  ],
]

const forms: [(token: string) => string, string][] = [
  [(token) => `/booking/${token}/cancel`, ''],
  [(token) => `/booking/${token}/accept`, 'offer=a'],
  [(token) => `/booking/${token}/refuse`, ''],
  [(token) => `/booking/confirm/${token}`, ''],
  [(token) => `/booking/${token}/move`, 'from=2027-02-10&to=2027-02-10'],
  [(token) => `/booking/staff/${token}`, 'act=confirm'],
  [(token) => `/subscription/confirm/${token}`, ''],
  [(token) => `/ticket/${token}`, 'text=More.&key=a-key-of-one-message'],
  [(token) => `/ticket/${token}/claim`, ''],
  [(token) => `/desk/tickets/${token}`, 'act=note&state=0&text=A+note.&name=Mika'],
  [(token) => `/subscription/again/${token}`, ''],
  [(token) => `/subscription/leave/${token}`, 'List-Unsubscribe=One-Click'],
]

test('a text that is no token is a page that is not there, whatever it looks like', async () => {
  await using site = await startSite({ sending: false, renderer: await builtRenderer(dist) })
  const { headers } = await signIn(site, ['view', 'download', 'manage'])
  const wrong: [string, string, number][] = []
  for (const [name, token] of Object.entries(texts)) {
    let from = 0
    const client = () => ({ from: `127.3.${Object.keys(texts).indexOf(name)}.${(from += 1)}` })
    const note = (path: string, status: number) => {
      if (status !== 404) wrong.push([name, path.replace(token, '…'), status])
    }
    for (const at of reads) {
      const reply = await site.get(at(token), { headers, ...client() })
      // Another spelling of an address leads to the one that the site itself writes.
      const { location } = reply.headers
      const { status } =
        reply.status === 308 ? await site.get(location!, { headers, ...client() }) : reply
      note(at(token), status)
    }
    for (const [at, body] of writes) {
      note(`POST ${at(token)}`, (await site.post(at(token), body, { headers, ...client() })).status)
    }
    for (const [at, body] of forms) {
      const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const reply = await site.post(at(token), body, {
        headers: { ...headers, ...type },
        ...client(),
      })
      note(`POST ${at(token)}`, reply.status)
    }
  }
  expect(wrong).toEqual([])
})
