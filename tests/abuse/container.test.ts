import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
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
    'server/secrets/secret-key.ts',
    'shared/paths.ts',
    'client/public/favicon.svg',
    'cli/main.ts',
    'data/content/settings.json',
    'vite.config.ts',
  ]
  expect(needed.filter(isLeftOut)).toEqual([])
})

test('content is in the volume of the container, so that a new image keeps what staff have written', () => {
  const dockerfile = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8')
  const [, dataDir] = /DATA_DIR=(\S+)/.exec(dockerfile)!
  const [, contentDir] = /CONTENT_DIR=(\S+)/.exec(dockerfile)!
  expect(contentDir!.startsWith(`${dataDir}/`)).toBe(true)
  expect(dockerfile).toContain(`VOLUME ${dataDir}`)
  expect(dockerfile).toMatch(/^COPY data\/content /m)
})

test('server, command line and container read the same .env', () => {
  const root = join(import.meta.dirname, '../..')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const container = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const [, command] = /^CMD (.*)$/m.exec(container)!
  for (const started of [scripts.start, command]) {
    expect(started).toContain('--env-file-if-exists=.env')
  }
  // The command line is started without Node's options, by `pitlane` too, and reads it by itself; so
  // does the development server.
  const [, start] = /^node (\S+)$/.exec(scripts.cli!)!
  const [, dev] = / (\S+) --dev$/.exec(scripts.dev!)!
  for (const program of [start, dev]) {
    expect(readFileSync(join(root, program!), 'utf8')).toMatch(
      /join\([^)]*\.env'\)[^]*process\.loadEnvFile/,
    )
  }
})

test.each(['127.0.0.1', '127.0.0.9', '::1', '::', ''])(
  'the container asks the server for its health where it listens, at %s and a port from a file',
  async (host) => {
    const server = createServer((_, response) => void response.writeHead(status).end())
    let status = 200
    await new Promise<void>((resolve) => server.listen(0, host || '0.0.0.0', resolve))
    const { port } = server.address() as AddressInfo
    const directory = mkdtempSync(join(tmpdir(), 'pitlane-health-'))
    const file = join(directory, 'port')
    writeFileSync(file, `${port}\n`)
    const root = join(import.meta.dirname, '../..')
    const container = readFileSync(join(root, 'Dockerfile'), 'utf8')
    const [, args] = /^HEALTHCHECK [^]*?CMD node (.*)$/m.exec(container)!
    const ask = () =>
      new Promise((resolve) => {
        const env = { PATH: process.env.PATH, HOST: host, PORT_FILE: file }
        const asked = execFile(process.execPath, args!.split(' '), { cwd: root, env }, () =>
          resolve(asked.exitCode),
        )
      })
    expect(await ask()).toBe(0)
    status = 503
    expect(await ask()).toBe(1)
    server.close()
    server.closeAllConnections()
    rmSync(directory, { recursive: true })
  },
)
