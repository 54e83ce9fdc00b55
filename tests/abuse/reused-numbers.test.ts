import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dayStart } from '#shared/dates/civil-dates.ts'
import * as z from 'zod'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { hashPassword } from '#server/secrets/passwords.ts'
import { createSignedTokens } from '#server/secrets/tokens.ts'
import { makeBackup, restore } from '../support/backups.ts'
import { book } from '../support/bookings.ts'
import { settled } from '../support/enquiry.ts'
import { mailFiles } from '../support/mail-files.ts'
import { runCli } from '../support/run-cli.ts'
import { cookiesOf, idsOf, postForm, share } from '../support/shared-folder.ts'
import { orderByInvoice } from '../support/shop.ts'
import { createClock, startSite, type Site } from '../support/site.ts'

const day = 86_400_000
const print = [['blue-hour-fine-art-print', '30x40-matte', 1]] as const
const mika = { name: 'Mika Mäkinen', email: 'mika@example.com' }

/** The last part of an address. */
const tokenOf = (url: unknown) => String(url).split(/[/=]/).at(-1)!

const erase = async (site: Site, email: string) => {
  const { code, err } = await runCli(['privacy', 'erase', email, '--yes'], site)
  expect([code, err]).toEqual([0, ''])
}

/** A booking with the tokens of its links. */
async function booked(site: Site, changes: Record<string, unknown> = {}) {
  const { status, json } = await book(site, changes)
  expect(status).toBe(201)
  const { actions } = site.context.features.bookings
  const find = () => actions.bookings.find(String(json?.reference))!
  return { visitor: tokenOf(json?.url), staff: tokenOf(actions.staffUrl(find())), find }
}

/** Every address and act of a booking's two links. */
const bookingAnswers = async (site: Site, { visitor, staff }: { visitor: string; staff: string }) =>
  Promise.all([
    site.get(`/api/bookings/by-link/${visitor}`),
    site.get(`/api/bookings/by-link/${visitor}/days`),
    site.get(`/booking/${visitor}.ics`),
    site.post(`/api/bookings/by-link/${visitor}/cancel`, {}),
    site.post(`/api/bookings/by-link/${visitor}/move`, { from: '2027-02-10', to: '2027-02-10' }),
    site.get(`/api/bookings/by-staff-link/${staff}`),
    site.post(`/api/bookings/by-staff-link/${staff}`, { act: 'decline' }),
    site.post(`/api/bookings/by-staff-link/${staff}`, { act: 'confirm' }),
  ])

test('the links of an erased visitor open and change nothing of the next one', async () => {
  await using site = await startSite({ sending: false })
  const gone = await booked(site)
  await erase(site, 'aino@example.com')
  const next = await booked(site, mika)
  const before = next.find()
  for (const { status, text } of await bookingAnswers(site, gone)) {
    expect(status).toBe(404)
    expect(text).not.toMatch(/Mika|mika|B-/)
  }
  expect(next.find()).toEqual(before)
})

/** A site whose state outlives it, so a backup can be restored between two starts. */
async function withState(work: (dataDir: string) => Promise<void>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-'))
  try {
    await work(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

test('links from after a backup open nothing of those who come after its restore', async () => {
  await withState(async (dataDir) => {
    const start = (at?: number) => startSite({ dataDir, sending: false, clock: createClock(at) })
    {
      await using site = await start()
      await booked(site, { key: 'a-booking-in-the-backup' })
    }
    const backup = await makeBackup({ dataDir })
    const lost = await (async () => {
      await using site = await start()
      const booking = await booked(site, { from: '2027-02-10', to: '2027-02-10' })
      const order = await orderByInvoice(site, print)
      return { booking, token: order.token }
    })()
    expect((await restore({ dataDir }, backup)).err).toBe('')

    await using site = await start()
    const next = await booked(site, { ...mika, from: '2027-02-10', to: '2027-02-10' })
    const order = await orderByInvoice(site, print, mika)
    for (const { status } of await bookingAnswers(site, lost.booking)) expect(status).toBe(404)
    expect(next.find().state).toBe('requested')
    for (const path of [
      `/api/shop/orders/${lost.token}`,
      `/shop/orders/${lost.token}/invoice.pdf`,
    ]) {
      const { status, text } = await site.get(path)
      expect([path, status]).toEqual([path, 404])
      expect(text).not.toContain(order.order)
    }
    expect((await site.post(`/api/shop/orders/${lost.token}/code`, {})).status).toBe(404)
    expect((await site.get(`/api/shop/orders/${order.token}`)).json).toMatchObject({
      order: order.order,
    })
  })
})

test('an address of the staff calendar that has ended stays ended after a restore', async () => {
  await withState(async (dataDir) => {
    const feed = async (...options: string[]) => {
      const env = { SITE_URL: 'http://localhost' }
      const { code, out } = await runCli(['bookings', 'feed', ...options], { dataDir, env })
      expect(code).toBe(0)
      return new URL(out.trim()).pathname
    }
    const first = await feed()
    const backup = await makeBackup({ dataDir })
    const second = await feed('--renew')
    const third = await feed('--renew')
    expect((await restore({ dataDir }, backup)).err).toBe('')
    const now = await feed()
    const renewed = await feed('--renew')
    expect(new Set([first, second, third, now, renewed]).size).toBe(5)
    await using site = await startSite({ dataDir, sending: false })
    for (const ended of [first, second, third, now]) {
      expect((await site.get(ended)).status).toBe(404)
    }
    expect((await site.get(renewed)).status).toBe(200)
  })
})

test('the confirmation link of an erased address puts no other one on the list', async () => {
  await using site = await startSite()
  const { subscribers } = site.context.features.newsletter
  const ask = (email: string) =>
    site.post(
      '/subscription/form',
      new URLSearchParams({ email, l: 'newsletter', name: '' }).toString(),
      { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    )
  const linkTo = async (email: string) => {
    await ask(email)
    await settled(site)
    const mail = mailFiles(site.dataDir).find(({ to }) => to === email)
    return /\/subscription\/confirm\/[\w.-]+/.exec(mail?.text ?? '')![0]
  }
  const old = await linkTo('aino@example.com')
  await erase(site, 'aino@example.com')
  const next = await linkTo('mika@example.com')
  for (const path of [old, old.replace('confirm', 'again')]) {
    const reply = await site.post(path, '', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    expect([path, reply.status]).toEqual([path, 404])
  }
  expect((await site.get(old)).status).toBe(404)
  expect(subscribers.find('mika@example.com')?.status).toBe('pending')
  expect((await site.get(next)).status).toBe(200)
})

test('no number of a row is given out twice, whatever the clock says', async () => {
  await using site = await startSite({ sending: false })
  const { bookings } = site.context.features.bookings.actions
  const { subscribers } = site.context.features.newsletter
  const numbers = new Set<number>()
  for (let n = 0; n < 3; n += 1) {
    await booked(site)
    await site.context.commit((tx) => {
      subscribers.import(tx, { email: mika.email, name: '', status: 'subscribed' }, 'paper')
    })
    numbers.add(bookings.withEmail('aino@example.com')[0]!.id)
    numbers.add(subscribers.find(mika.email)!.id + 0.5)
    await erase(site, 'aino@example.com')
    await erase(site, mika.email)
  }
  expect(numbers.size).toBe(6)
})

test('a new cart never has the number of a forgotten one, whose orders are known by it', async () => {
  await using site = await startSite({ sending: false })
  const { carts } = site.context.features.shop
  const numbers = new Set<number>()
  for (let n = 0; n < 3; n += 1) {
    numbers.add((await site.context.commit((tx) => carts.make(tx))).id)
    site.clock.advance(31 * day)
    await site.context.commit((tx) => carts.forget(tx))
  }
  expect(numbers.size).toBe(3)
})

test('links keep to themselves how many bookings and orders there are', async () => {
  await using site = await startSite({ sending: false })
  const { visitor, staff } = await booked(site)
  const order = await orderByInvoice(site, print)
  for (const token of [visitor, staff, order.token]) {
    const said = Buffer.from(token.slice(43), 'base64url').toString()
    const [end, [secret]] = JSON.parse(said) as [null, [string]]
    expect(end).toBeNull()
    expect(Buffer.from(secret, 'base64url')).toHaveLength(16)
  }
})

test('links of earlier versions say that they have ended, and open nothing', async () => {
  await using site = await startSite({ sending: false, renderer: await builtRenderer(dist) })
  const { find } = await booked(site)
  const { token, order } = await orderByInvoice(site, print)
  const { orders } = site.context.features.orders.actions
  const old = (purpose: string, id: number) =>
    createSignedTokens({ ...site.context, purpose, schema: z.tuple([z.int()]) }).issue([id], null)
  const { id } = find()
  const ofOrder = old('order', orders.find(order)!.id)
  for (const path of [
    `/api/bookings/by-link/${old('booking', id)}`,
    `/api/bookings/by-staff-link/${old('booking-staff', id)}`,
    `/api/shop/orders/${ofOrder}`,
    `/booking/${old('booking', id)}`,
    `/booking/staff/${old('booking-staff', id)}`,
    `/shop/checkout/success?order=${ofOrder}`,
  ]) {
    const { status, text } = await site.get(path)
    expect([path, status]).toEqual([path, 410])
    expect(text).toContain('Please ask us for a new one.')
    for (const secret of ['Aino', find().reference, order]) expect(text).not.toContain(secret)
  }
  expect((await site.get(`/booking/feed/${old('booking-feed', 0)}.ics`)).status).toBe(404)
  expect((await site.get(`/api/shop/orders/${token}`)).status).toBe(200)
})

test("a link in staff's mail ends 30 days after the booking was settled, not before", async () => {
  await using site = await startSite({ sending: false })
  const { staff, find } = await booked(site, { from: '2027-06-10', to: '2027-06-10' })
  const path = `/api/bookings/by-staff-link/${staff}`
  site.clock.advance(2 * day)
  expect((await site.post(path, { act: 'confirm' })).status).toBe(200)
  // A confirmed booking is settled when its last day is over.
  site.clock.advance(dayStart('2027-06-11') + 30 * day - 1 - site.clock())
  expect((await site.get(path)).status).toBe(200)
  site.clock.advance(1)
  for (const reply of [await site.get(path), await site.post(path, { act: 'decline' })]) {
    expect(reply.status).toBe(410)
    expect(reply.json?.message).toContain(`pitlane bookings show ${find().reference}`)
  }
  expect(find().state).toBe('confirmed')
})

test('an entry by an ended password opens no folder whose new password came after a restore', async () => {
  await withState(async (dataDir) => {
    const files = { 'a.txt': 'a file' }
    const start = () => startSite({ dataDir, sending: false })
    const key = await (async () => {
      await using site = await start()
      return (await share(site, 'winter', files)).key
    })()
    const backup = await makeBackup({ dataDir })
    const withPassword = async (site: Site, password: string) => {
      const { store } = site.context.features.folders
      const hashed = await hashPassword(password)
      await site.context.commit((tx) => store.change(tx, store.find(key)!, { password: hashed }))
    }
    const entry = await (async () => {
      await using site = await start()
      await withPassword(site, 'Talvi ralli')
      const entered = await postForm(site, `/s/${key}/password`, { password: 'Talvi ralli' })
      const headers = { Cookie: cookiesOf(entered) }
      expect((await site.get(`/api/folders/${key}`, { headers })).status).toBe(200)
      return headers
    })()
    expect((await restore({ dataDir }, backup)).err).toBe('')
    await using site = await start()
    await withPassword(site, 'Another password')
    expect((await site.get(`/api/folders/${key}`, { headers: entry })).status).toBe(401)
  })
})

test('the address of a file that left a folder never leads to another one', async () => {
  await using site = await startSite({ sending: false })
  const folder = await share(site, 'winter', { 'a.txt': 'the first' })
  const { 'a.txt': first } = idsOf(site, folder)
  rmSync(join(site.dataDir, 'folders/winter/a.txt'))
  await site.context.features.folders.sync(folder)
  const again = await share(site, 'summer', { 'b.txt': 'of somebody else' })
  writeFileSync(join(site.dataDir, 'folders/winter/c.txt'), 'the second, which is longer')
  await site.context.features.folders.sync(folder)
  const ids = [first, ...Object.values(idsOf(site, folder)), ...Object.values(idsOf(site, again))]
  expect(new Set(ids).size).toBe(3)
  expect((await site.get(`/s/${folder.key}/files/${first}`)).status).toBe(404)
})
