import { expect, test } from 'vitest'
import { checkPassword, newPassword } from '#server/secrets/passwords.ts'
import { eventually } from '../support/eventually.ts'
import { mailFiles } from '../support/mail-files.ts'
import { share } from '../support/shared-folder.ts'
import { startSite, type Site } from '../support/site.ts'

const password = 'Talvi ralli'

async function withAlias(env: Record<string, string> = {}) {
  const site = await startSite({ env })
  const folder = await share(site, 'winter', { 'a.jpg': 'a' }, { password, alias: 'kaamos-2026' })
  return { site, folder }
}

const attempt = (site: Site, word: string, from: string, id = 'kaamos-2026') =>
  site.post(`/s/${id}/password`, new URLSearchParams({ password: word }).toString(), {
    from,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-CSRF-TOKEN': '' },
  })

test('guessing a folder password waits longer each time, other addresses do not', async () => {
  const { site } = await withAlias()
  await using _ = site
  const guesser = '127.0.0.66'
  for (let n = 0; n < 8; n += 1)
    expect((await attempt(site, `guess-${n}`, guesser)).status).toBe(303)
  const waits: number[] = []
  for (let n = 0; n < 4; n += 1) {
    const refused = await attempt(site, password, guesser)
    expect(refused.status).toBe(429)
    expect(refused.headers['set-cookie']).toBeUndefined()
    const wait = Number(refused.headers['retry-after'])
    waits.push(wait)
    site.clock.advance(wait * 1000)
    await attempt(site, 'wrong again', guesser)
  }
  expect(waits).toEqual([2, 4, 8, 16])
  const right = await attempt(site, password, '127.0.0.77')
  expect([right.status, right.headers['set-cookie']?.length]).toEqual([303, 1])
})

test('guesses side by side do not slip through, nor by another folder', async () => {
  const { site } = await withAlias()
  await using _ = site
  await share(site, 'spring', { 'a.jpg': 'a' }, { password, alias: 'spring-2026' })
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_word, n) =>
      attempt(site, `guess-${n}`, '127.0.0.66', n % 2 ? 'kaamos-2026' : 'spring-2026'),
    ),
  )
  const count = (status: number) => replies.filter((reply) => reply.status === status).length
  expect([count(303), count(429)]).toEqual([8, 16])
})

test('entering often is no guessing', async () => {
  const { site } = await withAlias()
  await using _ = site
  for (let n = 0; n < 15; n += 1) {
    expect((await attempt(site, password, '127.0.0.66')).headers['set-cookie']).toHaveLength(1)
  }
})

test('guessing folder passwords mails staff once, also from one address, without the guesses', async () => {
  const { site } = await withAlias({ STAFF_EMAIL: 'staff@pitlane.example' })
  await using _ = site
  for (let n = 0; n < 20; n += 1) {
    const reply = await attempt(site, `GUESS-${n}`, '127.0.0.66')
    site.clock.advance(Number(reply.headers['retry-after'] ?? 0) * 1000)
    if (reply.status === 429) await attempt(site, `GUESS-${n}`, '127.0.0.66')
  }
  const mail = await eventually(() => {
    const [found] = mailFiles(site.dataDir).filter(({ file }) => file.endsWith('logAlert.eml'))
    expect(found).toBeDefined()
    return found!
  })
  expect(mail.to).toBe('staff@pitlane.example')
  expect(mail.text).toContain('many wrong folder passwords within an hour')
  const log = site.logLines().join('')
  expect(log).toContain('"directory":"winter"')
  expect(log + mail.text).not.toContain('GUESS')
  expect(log + mail.text).not.toContain('kaamos-2026')
})

test('checking passwords never takes all threads of the process', async () => {
  const { site } = await withAlias()
  await using _ = site
  const replies = await Promise.all(
    Array.from({ length: 120 }, (_word, n) =>
      attempt(site, `guess-${n}`, `127.0.${n >> 6}.${(n & 63) + 1}`),
    ),
  )
  const statuses = new Set(replies.map(({ status }) => status))
  // Beyond the queue visitors are asked to come again, and it is no failure of theirs.
  expect(statuses).toEqual(new Set([303, 429]))
  expect((await attempt(site, password, '127.0.0.5')).headers['set-cookie']).toHaveLength(1)
})

test('a password has at least 8 characters', () => {
  for (const short of ['', 'abc', '1234567', '  1234567  ', '🏁🏁🏁🏁']) {
    expect(() => checkPassword(short)).toThrow('Use 8 to 200 characters for the password.')
  }
  for (const good of ['12345678', 'Jäinen tie', '🏁'.repeat(8)]) {
    expect(() => checkPassword(good)).not.toThrow()
  }
  const made = Array.from({ length: 50 }, newPassword)
  expect(new Set(made).size).toBe(50)
  for (const word of made)
    expect(word).toMatch(/^[2-9a-hjkmnp-z]{4}-[2-9a-hjkmnp-z]{4}-[2-9a-hjkmnp-z]{4}$/)
})
