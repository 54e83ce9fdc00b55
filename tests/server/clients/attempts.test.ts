import { expect, test } from 'vitest'
import { makeClient, tryCode } from '../../support/clients.ts'
import { startSite, type Site } from '../../support/site.ts'

const minute = 60_000
const guesser = { from: '127.0.0.66' }

/** Fails until the address has to wait. @returns how many failures were let through */
async function guess(site: Site, options = guesser): Promise<number> {
  for (let count = 0; count < 50; count += 1) {
    const { status } = await tryCode(site, `GUESS-${count}`, options)
    if (status === 429) return count
    expect(status).toBe(401)
  }
  throw new Error('Nothing slows this address down.')
}

test('an address that guesses has to wait, even with a right code', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  expect(await guess(site)).toBe(8)
  const reply = await tryCode(site, code, guesser)
  expect(reply.status).toBe(429)
  expect(reply.headers['retry-after']).toBe('2')
  expect(reply.json).toMatchObject({
    success: false,
    message: 'Too many wrong codes. Please wait 2 seconds and try again.',
  })
  site.clock.advance(1000)
  expect((await tryCode(site, code, guesser)).json).toMatchObject({
    message: 'Too many wrong codes. Please wait 1 second and try again.',
  })
  site.clock.advance(1000)
  expect((await tryCode(site, code, guesser)).status).toBe(200)
})

test('a right code from another address opens during guessing', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  await guess(site)
  expect((await tryCode(site, code, { from: '127.0.0.77' })).status).toBe(200)
})

test('the wait doubles with each further failure up to a quarter of an hour, and is forgotten', async () => {
  await using site = await startSite()
  await guess(site)
  const waits: number[] = []
  for (let failures = 0; failures < 12; failures += 1) {
    const { headers } = await tryCode(site, 'GUESS', guesser)
    const wait = Number(headers['retry-after'])
    waits.push(wait)
    site.clock.advance(wait * 1000)
    expect((await tryCode(site, 'GUESS', guesser)).status).toBe(401)
  }
  expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  site.clock.advance(60 * minute)
  expect(await guess(site)).toBe(8)
})

test('guesses sent side by side do not slip through', async () => {
  await using site = await startSite()
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, index) => tryCode(site, `GUESS-${index}`, guesser)),
  )
  const count = (status: number) => replies.filter((reply) => reply.status === status).length
  expect([count(401), count(429)]).toEqual([8, 22])
})

test('signing in often is no guessing', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  for (let count = 0; count < 20; count += 1) {
    expect((await tryCode(site, code, guesser)).status).toBe(200)
  }
})

test('guessing from many addresses leaves each fewer tries, and right codes their way', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  for (let host = 0; host < 100; host += 1) {
    for (const guessed of ['GUESS-1', 'GUESS-2']) {
      await tryCode(site, guessed, { from: `127.0.1.${host + 1}` })
    }
  }
  expect(await guess(site)).toBe(2)
  expect((await tryCode(site, code, { from: '127.0.0.77' })).status).toBe(200)
})

test('50 failures within an hour raise an alert in the log, once', async () => {
  await using site = await startSite()
  for (let host = 0; host < 60; host += 1) {
    await tryCode(site, 'GUESS', { from: `127.0.1.${host + 1}` })
  }
  const alerts = site.logLines().filter((line) => line.includes('many wrong secret codes'))
  expect(alerts).toHaveLength(1)
  expect(JSON.parse(alerts[0]!)).toMatchObject({ level: 'error', failures: 50 })
})

test('forms without scripts are slowed down by the same count', async () => {
  await using site = await startSite()
  await guess(site)
  const reply = await site.post('/client-zone', 'secretCode=GUESS', {
    ...guesser,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  expect(reply.headers.location).toBe('/client-zone?problem=wait#secret-code')
})
