import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { extractText, getDocumentProxy } from 'unpdf'
import { legalVersions } from '#shared/legal/legal.ts'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { book } from '../../support/bookings.ts'
import { season } from '../../support/content-events.ts'
import { eventually } from '../../support/eventually.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'

const inForce = legalVersions.terms[0].version

const rulesOf = (freeUntilDays: number) =>
  JSON.stringify({
    cancellation: { freeUntilDays, shares: [{ untilDays: 0, percent: 50 }] },
    services: { photography: { capacity: 5 } },
  })

type View = {
  offer: { id: string; termsVersion: string; cancellation: string[] } | null
  agreement: { termsVersion: string; cancellation: string[] } | null
}

/** A booking that can be looked at, answered by its client, and changed by staff. */
async function booked(site: Site, day: string, from: string) {
  const { json } = await book(site, { from: day, to: day }, from)
  const token = String(json?.url).split('/').at(-1)!
  const reference = String(json?.reference)
  return {
    view: async () => (await site.get(`/api/bookings/by-link/${token}`)).json as View,
    page: async () => (await site.get(`/booking/${token}`)).text,
    accept: (offer: string) => site.post(`/api/bookings/by-link/${token}/accept`, { offer }),
    cli: (verb: string, ...args: string[]) => runOn(site, 'bookings', verb, reference, ...args),
  }
}

async function pdfOf(site: Site, version: string): Promise<string> {
  const reply = await fetch(`${site.url}/terms-of-service/${version}.pdf`)
  expect([version, reply.status]).toEqual([version, 200])
  const file = await getDocumentProxy(new Uint8Array(await reply.arrayBuffer()))
  return (await extractText(file, { mergePages: true })).text
}

test('staff change what cancelling costs: the terms get a version of their own, and those agreed on before stay', async () => {
  using content = season(undefined, { 'booking-rules.json': rulesOf(14) })
  await using site = await startSite({
    renderer: await builtRenderer(dist),
    sending: false,
    env: { CONTENT_DIR: content.directory },
  })
  const confirmed = await booked(site, '2027-01-19', '127.0.2.1')
  const offered = await booked(site, '2027-02-10', '127.0.2.2')
  const renewed = await booked(site, '2027-03-10', '127.0.2.3')
  await offered.cli('offer', '--line', 'Work=1000.00')
  const { order: before } = await orderByInvoice(site, [
    ['blue-hour-fine-art-print', '30x40-matte', 1],
  ])
  expect((await site.get('/terms-of-service')).text).toContain('until 14 days')

  writeFileSync(join(content.directory, 'booking-rules.json'), rulesOf(90))
  site.clock.advance(86_400_000)
  const { rules } = site.context.features.bookings.actions
  await eventually(() => expect(rules().cancellation.freeUntilDays).toBe(90))
  const termsPage = async () => (await site.get('/terms-of-service')).text
  await eventually(async () =>
    expect((await termsPage()).match(/\/terms-of-service\/[\d.]+pdf/g)).toEqual([
      `/terms-of-service/${inForce}.1.pdf`,
      `/terms-of-service/${inForce}.pdf`,
    ]),
  )
  const page = await termsPage()
  expect(page).toContain('What cancelling a booking costs.')
  expect(await pdfOf(site, inForce)).toContain('until 14 days before')
  expect(await pdfOf(site, `${inForce}.1`)).toContain('until 90 days before')
  expect((await site.get(`/terms-of-service/${inForce}.2.pdf`)).status).toBe(404)

  // What was asked for or offered before is agreed on as it was shown.
  await confirmed.cli('confirm')
  const { offer } = await offered.view()
  expect(offer).toMatchObject({ termsVersion: inForce })
  expect(await offered.page()).toContain(`/terms-of-service/${inForce}.pdf`)
  expect((await offered.accept(offer!.id)).status).toBe(200)
  for (const { view } of [confirmed, offered]) {
    const { agreement } = await view()
    expect(agreement).toMatchObject({ termsVersion: inForce })
    expect(agreement!.cancellation.join(' ')).toContain('14 days before')
  }
  // What is offered, asked for or ordered from now on is under the new ones.
  await renewed.cli('offer', '--line', 'Work=1000.00')
  const { offer: newer } = await renewed.view()
  expect(newer).toMatchObject({ termsVersion: `${inForce}.1` })
  expect(newer!.cancellation.join(' ')).toContain('90 days before')
  await renewed.accept(newer!.id)
  expect((await renewed.view()).agreement).toMatchObject({ termsVersion: `${inForce}.1` })
  const { order: after } = await orderByInvoice(site, [['winter-wallpapers', 'personal', 1]])
  const { orders } = site.context.features.orders.actions
  expect([before, after].map((number) => orders.find(number)!.termsVersion)).toEqual([
    inForce,
    `${inForce}.1`,
  ])

  // Changed back, they are a third version, since the second one was in force in between.
  writeFileSync(join(content.directory, 'booking-rules.json'), rulesOf(14))
  await eventually(() => expect(rules().cancellation.freeUntilDays).toBe(14))
  await eventually(async () =>
    expect(await termsPage()).toContain(`/terms-of-service/${inForce}.2.pdf`),
  )
  expect(await pdfOf(site, `${inForce}.2`)).toContain('until 14 days before')
})
