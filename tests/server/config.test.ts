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

test('every problem is named at once, those in files, too', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pitlane-config-'))
  const file = join(directory, 'port')
  writeFileSync(file, 'none\n')
  const found = problems({ PORT_FILE: file, LOG_LEVEL: 'loud', SECRET_KEY_FILE: '/nowhere' })
  rmSync(directory, { recursive: true })
  expect(found.toSorted()).toEqual([
    'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent.',
    'PORT must be a port number, 0 to 65535.',
    'SECRET_KEY_FILE: the file /nowhere cannot be read.',
  ])
})
