import { expect, test } from 'vitest'
import { legalVersions } from '#shared/legal/legal.ts'
import type { CreateThread } from '#server/concurrency/worker-thread.ts'
import { eventually } from '../support/eventually.ts'
import { runSql } from '../support/raw-database.ts'
import { sharedThread } from '../support/shared-thread.ts'
import { startSite } from '../support/site.ts'

const inForce = legalVersions.terms[0].version

test('versions of the terms that are asked for by turns, from many addresses, are drawn once each', async () => {
  let drawn = 0
  const createThread: CreateThread = (options) => {
    const thread = sharedThread(options)
    return {
      ...thread,
      run(task) {
        if (task instanceof Object && 'terms' in task) drawn += 1
        return thread.run(task) as never
      },
    }
  }
  await using site = await startSite({ createThread, sending: false })
  site.context.features.legal.start?.()
  const older = `INSERT INTO terms_texts SELECT ?, date, sections FROM terms_texts`
  await eventually(() => expect(runSql(site.dataDir, older, '1.8')).toBe(1))
  const versions = Array.from({ length: 40 }, (_, n) => [inForce, '1.8'][n % 2]!)
  for (const [n, version] of versions.entries()) {
    const reply = await site.get(`/terms-of-service/${version}.pdf`, { from: `127.0.1.${n + 1}` })
    expect([version, reply.status]).toEqual([version, 200])
  }
  expect(drawn).toBe(2)
  const { versions: listed } = (await site.get('/api/legal/terms')).json as {
    versions: { version: string; isKept: boolean }[]
  }
  const readable = listed.filter(({ isKept }) => isKept).map(({ version }) => version)
  expect(readable).toEqual([inForce, '1.8'])
  for (const odd of [
    `${inForce}%00`,
    `..%2f${inForce}`,
    `${inForce}/`,
    '%D9%A1.9',
    '9'.repeat(3000),
    '__proto__',
  ]) {
    const { status, headers } = await site.get(`/terms-of-service/${odd}.pdf`)
    const isFile = headers['content-type'] === 'application/pdf'
    expect([odd.slice(0, 20), status < 500, isFile]).toEqual([odd.slice(0, 20), true, false])
  }
  expect(drawn).toBe(2)
})
