import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildIfMissing } from '#server/build.ts'
import { runCli } from '../support/run-cli.ts'
import { startProcess } from '../support/server-process.ts'
import { startSite } from '../support/site.ts'

beforeAll(() => buildIfMissing(() => {}), 120_000)

const slug = 'forty-eight-hours-at-kymiring'

/** Adds a subscriber and sends an article. @returns what the emails are made from */
async function sendIssue(dataDir: string, env: Record<string, string> = {}) {
  const site = await startSite({
    dataDir,
    sending: false,
    env: { SITE_URL: 'https://kaamos.example' },
  })
  await site.context.commit((tx) =>
    site.context.features.newsletter.subscribers.import(
      tx,
      { email: 'aino@example.com', name: '', status: 'subscribed' },
      'test',
    ),
  )
  const result = await runCli(['newsletter', 'send', '--news', slug, '--send'], { dataDir, env })
  const issue = site.context.features.newsletter.issues.find(slug)
  await site[Symbol.asyncDispose]()
  return { result, issue }
}

const withState = async (work: (dataDir: string) => Promise<void>) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-origin-'))
  try {
    await work(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

test('addresses are those of the server, whatever the shell lacks', () =>
  withState(async (dataDir) => {
    const { result, issue } = await sendIssue(dataDir)
    expect(result).toMatchObject({ code: 0, err: '' })
    expect(issue?.url).toBe(`https://kaamos.example/news/${slug}`)
    expect(JSON.stringify(issue)).not.toContain('localhost')
  }))

test('a SITE_URL of the shell that differs is said, and not used', () =>
  withState(async (dataDir) => {
    const { result, issue } = await sendIssue(dataDir, { SITE_URL: 'https://staging.example' })
    expect(result.code).toBe(0)
    expect(result.err).toBe(
      'SITE_URL is https://staging.example here, but the server of this DATA_DIR uses https://kaamos.example; using that.\n',
    )
    expect(JSON.stringify(issue)).not.toContain('staging')
  }))

test(
  'the real server writes down what it is called, with the port that it got',
  () =>
    withState(async (dataDir) => {
      await using server = await startProcess('server/start.js', { DATA_DIR: dataDir })
      const { port } = new URL(server.url)
      // It may begin to serve a moment before it has written that down.
      await expect
        .poll(async () => (await runCli(['clients', 'add', `Team ${Date.now()}`], { dataDir })).out)
        .toContain(` http://localhost:${port}/panel/`)
    }),
  60_000,
)

/** What a command says where its DATA_DIR was empty, as after a slip of the pen in its path. */
const begins = (dataDir: string) => `No site was in ${dataDir} yet, so a new one begins there.\n`

test.each([
  [['newsletter', 'send', '--news', slug]],
  [['newsletter', 'send', '--news', slug, '--send']],
  [['links', 'create', 'https://example.com']],
  [['clients', 'add', 'Team']],
  [['sitemap', 'build']],
])('before any server has run, %j says that nobody knows the address', (args) =>
  withState(async (dataDir) => {
    const { code, out, err } = await runCli(args, { dataDir })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toBe(
      `${begins(dataDir)}The site’s address is unknown: no server has run with ${dataDir} yet. Start it once, or set SITE_URL.\n`,
    )
    const again = await runCli(['clients', 'list', '--json'], { dataDir })
    expect(JSON.parse(again.out)).toEqual([])
    expect(again.err).toBe('')
  }),
)

test('before any server has run, an address that is set is taken', () =>
  withState(async (dataDir) => {
    const env = { SITE_URL: 'https://kaamos.example' }
    const { out, err } = await runCli(['clients', 'add', 'Team'], { dataDir, env })
    expect(out).toBe('team: added. https://kaamos.example/panel/team\n')
    expect(err).toBe(begins(dataDir))
  }))
