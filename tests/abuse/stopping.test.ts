import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { buildIfMissing } from '#server/build.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { eventually } from '../support/eventually.ts'
import { enquiry } from '../support/enquiry.ts'
import { openRaw } from '../support/raw-connection.ts'
import { runCli } from '../support/run-cli.ts'
import { csrfHeaders, send } from '../support/send.ts'
import { startProcess } from '../support/server-process.ts'
import { startSmtp } from '../support/smtp.ts'

let dataDir: string

/** A port that nothing listens on. */
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

beforeAll(() => {
  buildIfMissing(() => {})
  dataDir = mkdtempSync(join(tmpdir(), 'pitlane-stopping-'))
  return () => rmSync(dataDir, { recursive: true })
})

for (const signals of [
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGINT'],
  ['SIGHUP', 'SIGTERM'],
  ['SIGTERM', 'SIGINT', 'SIGTERM', 'SIGINT'],
] as const) {
  test(`${signals.join(', ')} lets a request in flight finish`, async () => {
    await using server = await startProcess('server/start.js', {
      DATA_DIR: join(dataDir, signals.join('-')),
    })
    await using connection = await openRaw(server.url)
    const [begin, rest] = ['l=newsletter&email=aino', '%40example.com']
    connection.write(
      `POST /subscription/form HTTP/1.1\r\nHost: site\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${begin.length + rest.length}\r\n\r\n${begin}`,
    )
    // A reply to a later connection shows that the server has seen this one.
    await using other = await openRaw(server.url)
    other.write('GET /robots.txt HTTP/1.1\r\nHost: site\r\n\r\n')
    await other.reply()
    const ended = server.kill(signals[0])
    // The first has been heard when no one can connect any more; two of a kind at once would be one.
    await eventually(() => expect(openRaw(server.url)).rejects.toThrow())
    for (const signal of signals.slice(1)) void server.kill(signal)
    connection.write(rest)
    const reply = await connection.reply()
    expect(reply.status).toBe(200)
    expect(reply.body.toString()).toContain('</html>')
    expect(await ended).toBe(0)
  })
}

test('signals of a program that rotates logs neither end the server nor open it to a debugger', async () => {
  const own = join(dataDir, 'rotated')
  const port = await freePort()
  await using server = await startProcess('server/start.js', {
    DATA_DIR: own,
    NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}`,
  })
  const said = () =>
    readFileSync(join(own, 'logs/pitlane.log'), 'utf8').split('nothing to do').length - 1
  for (const [index, signal] of (['SIGUSR1', 'SIGUSR2'] as const).entries()) {
    void server.kill(signal)
    await eventually(() => expect(said()).toBe(index + 1))
  }
  expect((await fetch(`${server.url}/robots.txt`)).status).toBe(200)
  await expect(fetch(`http://127.0.0.1:${port}/json`)).rejects.toThrow()
})

test('a connection on which nothing was ever sent does not hold up the end', async () => {
  await using server = await startProcess('server/start.js', { DATA_DIR: join(dataDir, 'silent') })
  await using _silent = await openRaw(server.url)
  const began = performance.now()
  expect(await server.kill('SIGTERM')).toBe(0)
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('idle connections do not delay the stop', async () => {
  await using server = await startProcess('server/start.js', { DATA_DIR: join(dataDir, 'idle') })
  await using idle = await openRaw(server.url)
  idle.write('GET /robots.txt HTTP/1.1\r\nHost: site\r\n\r\n')
  expect((await idle.reply()).headers.connection).toBe('keep-alive')
  const began = performance.now()
  expect(await server.kill('SIGTERM')).toBe(0)
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('a mail server that never answers does not hold up the end, and its email stays', async () => {
  await using smtp = await startSmtp({ timeout: 60_000 })
  smtp.mood = 'hang'
  const env = { DATA_DIR: join(dataDir, 'mail'), SMTP_URL: smtp.url }
  {
    await using server = await startProcess('server/start.js', env)
    const saved = await send(`${server.url}/api/save-contact-form`, {
      method: 'POST',
      headers: { ...csrfHeaders, 'Content-Type': 'application/json' },
      body: enquiry(),
    })
    expect(saved.status).toBe(201)
    await expect.poll(() => smtp.attempts()).toBeGreaterThan(0)
    expect(await server.kill('SIGTERM')).toBe(0)
  }
  const { out } = await runCli(['mail', 'list', '--json', 'kind,status'], {
    dataDir: env.DATA_DIR,
  })
  expect(JSON.parse(out)).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: 'confirmation', status: 'queued' })]),
  )
})

test('killed in the middle of a stop that a request holds up, the server has left no email half-sent', async () => {
  await using smtp = await startSmtp({ timeout: 60_000 })
  const answer = Promise.withResolvers<void>()
  smtp.answering = answer.promise
  const env = { DATA_DIR: join(dataDir, 'held-up'), SMTP_URL: smtp.url }
  {
    await using server = await startProcess('server/start.js', env)
    await using held = await openRaw(server.url)
    held.write(
      'POST /subscription/form HTTP/1.1\r\nHost: site\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 30\r\n\r\nl=newsletter',
    )
    for (const id of ['abc001', 'abc002', 'abc003']) {
      const saved = await send(`${server.url}/api/save-contact-form`, {
        method: 'POST',
        headers: { ...csrfHeaders, 'Content-Type': 'application/json' },
        body: enquiry({ 'Ticket ID': id, Email: `${id}@example.com` }),
      })
      expect(saved.status).toBe(201)
    }
    await expect.poll(() => smtp.mails.length).toBe(2)
    void server.kill('SIGTERM')
    // It has been heard when no one can connect any more.
    await eventually(() => expect(openRaw(server.url)).rejects.toThrow())
    answer.resolve()
    // By then the two have been answered, and others would be on their way.
    await delay(6_000)
    await server.kill('SIGKILL')
  }
  const { out } = await runCli(['mail', 'list', '--json', 'status'], { dataDir: env.DATA_DIR })
  const states = (JSON.parse(out) as { status: string }[]).map(({ status }) => status)
  expect(states.toSorted()).toEqual(['queued', 'queued', 'queued', 'queued', 'sent', 'sent'])
})

test('an error that nothing catches ends the server, and the log file says which', async () => {
  const trap = 'process.once("SIGWINCH", () => { throw new Error("the gearbox is gone") })'
  const env = {
    DATA_DIR: join(dataDir, 'crash'),
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(trap)}`,
  }
  await using server = await startProcess('server/start.js', env)
  expect(await server.kill('SIGWINCH')).toBe(1)
  const written = readFileSync(join(env.DATA_DIR, 'logs/pitlane.log'), 'utf8')
  expect(written).toMatch(/"level":"fatal",.*the gearbox is gone/)
  // Its port was a free one.
  expect(written).toContain(`running at http://localhost:${new URL(server.url).port}"`)
})

test('a development server that is stopped leaves nothing running, also where there is no .env', async () => {
  const root = join(import.meta.dirname, '../..')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { dev: string }
  }
  const port = await freePort()
  // As npm does it, with a group of its own, so that nothing outlives this test where it fails.
  const child = spawn('sh', ['-c', scripts.dev], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: {
      ...bareEnvironment,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: join(dataDir, 'development'),
    },
  })
  const ended = once(child, 'exit')
  try {
    const health = () => fetch(`http://127.0.0.1:${port}/api/health`)
    await eventually(async () => expect((await health()).status).toBe(200))
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    await eventually(() => expect(health()).rejects.toThrow())
  } finally {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  }
})
