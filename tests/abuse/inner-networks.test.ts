import { expect, test } from 'vitest'
import { isPrivateAddress } from '#server/http/public-addresses.ts'
import { checkTarget } from '#server/links/target-check.ts'
import { fetchCalendar } from '#server/calendar/subscriptions/fetch-calendar.ts'

/** 127.0.0.1 and 10.0.0.1 in each way of writing IPv4 addresses as IPv6 ones, and networks of the inside. */
const inner = [
  '::127.0.0.1',
  '::a00:1',
  '::ffff:127.0.0.1',
  '::ffff:0:a00:1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '64:ff9b:1:fffe::7f00:1',
  '2002:a00:1::',
  '2001:0:a00:1::',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'fec0::1',
  'feff::1',
]

test('an inner IPv4 address stays one however it is written in IPv6, and so do inner IPv6 networks', async () => {
  expect(inner.filter((address) => !isPrivateAddress(address))).toEqual([])
  for (const address of inner) {
    expect(await checkTarget(`http://[${address}]:9/`)).toEqual({ state: 'unknown' })
    await expect(
      fetchCalendar(`http://[${address}]:9/`, { etag: null, allowPrivate: false }),
    ).rejects.toThrow('isn’t a public address')
  }
})

test('addresses of the internet are no inner ones', () => {
  const open = ['2606:4700::1111', '2a00:1450::1', '2001:67c::1', '64:ff9a::1', '65::1', '8.8.8.8']
  expect(open.filter(isPrivateAddress)).toEqual([])
})
