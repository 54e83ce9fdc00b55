import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ConfigError, readConfig } from '#server/config.ts'

/** What a start would complain about. */
function problems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as ConfigError).problems
  }
}

test.each(['0', '80', '65535'])('%s is a port', (PORT) => {
  expect(readConfig({ PORT }).port).toBe(Number(PORT))
})

test.each(['1e3', '0x10', '3000.0', '-1', '65536', 'http'])('%s is no port', (PORT) => {
  expect(problems({ PORT })).toEqual(['PORT must be a port number, 0 to 65535.'])
})

test('IMAP_URL is taken apart, with its own characters in user and password', () => {
  expect(readConfig({}).inbox).toBeNull()
  const { inbox } = readConfig({ IMAP_URL: 'imaps://a%40example.com:p%3Aw%2F@mail.example.com' })
  expect(inbox).toEqual({
    host: 'mail.example.com',
    port: 993,
    isTls: true,
    user: 'a@example.com',
    password: 'p:w/',
  })
  expect(readConfig({ IMAP_URL: 'imap://a:b@[::1]:1143/' }).inbox).toMatchObject({
    host: '::1',
    port: 1143,
    isTls: false,
  })
})

test.each([
  'mail.example.com',
  'imaps://mail.example.com',
  'imaps://user@mail.example.com',
  'imaps://:secret@mail.example.com',
  'imaps://user:%zzsecret@mail.example.com',
  'https://user:secret@mail.example.com',
])('%s is no mailbox, and the complaint repeats no password', (IMAP_URL) => {
  expect(problems({ IMAP_URL })).toEqual([expect.stringMatching(/^IMAP_URL must be an imap:\/\//)])
  expect(problems({ IMAP_URL }).join('')).not.toContain('secret')
})

test.each(['https://www.example.com', 'https://www.example.com/', 'http://10.0.0.1:8080'])(
  '%s is a public origin',
  (SITE_URL) => {
    expect(readConfig({ SITE_URL }).siteUrl).toBe(SITE_URL.replace(/\/$/, ''))
  },
)

test.each([
  'www.example.com',
  'ftp://www.example.com',
  'https://www.example.com/site',
  'https://www.example.com/?a=b',
  'https://editor:secret@www.example.com',
])('%s is no origin, and nothing of it is left out in silence', (SITE_URL) => {
  expect(problems({ SITE_URL })).toEqual([
    'SITE_URL must be an http(s) origin without a path, such as https://www.example.com.',
  ])
})

test('a key of Stripe in the place of another one is named, before a customer cannot pay', () => {
  const right = { STRIPE_SECRET_KEY: 'rk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
  expect(readConfig(right).stripe).toMatchObject({ secretKey: 'rk_live_1' })
  expect(problems({ STRIPE_SECRET_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: 'sk_live_1' })).toEqual([
    'STRIPE_SECRET_KEY must be a secret or restricted key of Stripe, which begins with sk_ or rk_.',
    'STRIPE_WEBHOOK_SECRET must be the signing secret of a webhook at Stripe, which begins with whsec_.',
  ])
})

test('every problem is named at once, those in files, too', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pitlane-config-'))
  const file = join(directory, 'port')
  writeFileSync(file, 'none\n')
  const found = problems({ PORT_FILE: file, LOG_LEVEL: 'loud', SECRET_KEY_FILE: '/nowhere' })
  rmSync(directory, { recursive: true })
  expect(found.toSorted()).toEqual([
    'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent.',
    'PORT must be a port number, 0 to 65535.',
    'SECRET_KEY_FILE: the file /nowhere can’t be read.',
  ])
})

test('an empty file of a setting is named: no directory would be the one of the program', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pitlane-config-'))
  const file = join(directory, 'empty')
  writeFileSync(file, '\n')
  const names = ['DATA_DIR', 'BACKUP_DIR', 'CONTENT_DIR', 'BACKUP_PASSPHRASE', 'SECRET_KEY']
  const found = names.flatMap((name) => problems({ [`${name}_FILE`]: file }))
  rmSync(directory, { recursive: true })
  expect(found).toEqual(names.map((name) => `${name}_FILE: the file ${file} is empty.`))
})

test('quotes that Docker took as a part of a path are named, so the state is where it was meant', () => {
  const names = ['DATA_DIR', 'CONTENT_DIR', 'BACKUP_DIR']
  for (const value of ['"/var/lib/pitlane"', "'/var/lib/pitlane'", ' ', '/var/lib/pitlane ']) {
    const found = problems(Object.fromEntries(names.map((name) => [name, value])))
    const named = names.filter((name) =>
      found.some((problem) => problem.startsWith(`${name} must not begin or end with`)),
    )
    expect([value, named]).toEqual([value, names])
  }
  expect(problems({ DATA_DIR: '/var/lib/the "old" site' })).toEqual([])
})

test.each(['hello@example.com', 'Pitlane, Oy <hello@example.com>', '"A, B" <staff@localhost>'])(
  '%s is a mailbox of staff',
  (STAFF_EMAIL) => {
    expect(problems({ STAFF_EMAIL })).toEqual([])
  },
)

test.each(['a@example.com,b@example.com', 'a@example.com>', 'A <a@example.com', 'a b@example.com'])(
  '%s is not one mailbox, so no email would reach staff',
  (STAFF_EMAIL) => {
    expect(problems({ STAFF_EMAIL })).toEqual([
      expect.stringMatching(/^STAFF_EMAIL must be one email address/),
    ])
  },
)
