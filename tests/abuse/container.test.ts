import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'

const rules = readFileSync(join(import.meta.dirname, '../../.dockerignore'), 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line && !line.startsWith('#'))

/** Whether Docker leaves a file out of what it builds from: the last rule that fits decides. */
const isLeftOut = (path: string) =>
  rules.reduce((out, rule) => {
    const pattern = rule.replace(/^!/, '')
    const fits = matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)
    return fits ? !rule.startsWith('!') : out
  }, false)

test('no secret of the machine that builds comes into the image', () => {
  const secrets = [
    '.env',
    '.env.production',
    'deploy/.env',
    'deploy/.env.local',
    'data/var/secret-key',
    'data/var/pitlane.sqlite',
    'data/var/mail/1-confirmation.eml',
    'backup/pitlane.sqlite-wal',
    'certs/site.pem',
    'certs/site.key',
    'id_ed25519',
    '.ssh/id_rsa',
    '.git/config',
    'npm-debug.log',
  ]
  expect(secrets.filter((path) => !isLeftOut(path))).toEqual([])
})

test('the container context keeps all files that the image is made of', () => {
  const needed = [
    'package.json',
    'package-lock.json',
    '.npmrc',
    'server/main.ts',
    'server/start.js',
    'server/secret-key.ts',
    'shared/paths.ts',
    'client/public/favicon.svg',
    'cli/main.ts',
    'data/content/settings.json',
    'vite.config.ts',
  ]
  expect(needed.filter(isLeftOut)).toEqual([])
})
