import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startSite } from '../support/site.ts'

/** Months and dates that Date reads as others, or that have none before or after them. */
const months = ['0000-01', '0001-12', '0099-12', '1900-01', '2999-12', '9999-12', '-00001-01']
const dates = ['0000-01-01', '0099-12-31', '1900-01-01', '2999-12-31', '9999-12-31', '2026-02-30']

test('no month or date of an address holds up the site or breaks it', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const addresses = [
    ...months.flatMap((month) => [
      `/calendar?month=${month}`,
      `/booking?service=photography&month=${month}`,
    ]),
    ...dates.flatMap((date) => [
      `/booking?service=photography&from=${date}&to=2999-12-31`,
      `/api/bookings/availability?service=photography&from=${date}&to=${date}`,
      `/api/bookings/availability?service=photography&from=1900-01-01&to=${date}`,
    ]),
  ]
  for (const address of addresses) {
    const { status } = await site.get(address)
    expect([address, status < 500]).toEqual([address, true])
  }
  expect((await site.get('/api/health')).status).toBe(200)
})
