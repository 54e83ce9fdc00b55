import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { holdDatabase } from '../support/hold-database.ts'
import { startSite, type Site } from '../support/site.ts'

const health = async (site: Site) => {
  const { status, json } = await site.get('/api/health')
  return [status, (json as { db: string }).db]
}

const healthLines = (site: Site) =>
  site.logLines().flatMap((line) => {
    const { level, msg } = JSON.parse(line) as { level: string; msg: string }
    return msg.startsWith('health ') ? [`${level}: ${msg}`] : []
  })

test('a flood of health checks writes no more than some dozens do in a second', async () => {
  await using site = await startSite({ sending: false })
  const logBytes = () => statSync(join(site.dataDir, 'pitlane.sqlite-wal')).size
  await health(site)
  const before = logBytes()
  await health(site)
  const each = logBytes() - before
  expect(each).toBeGreaterThan(0)

  const began = performance.now()
  for (let at = 0; at < 600; at += 1) expect(await health(site)).toEqual([200, 'ok'])
  const seconds = Math.ceil((performance.now() - began) / 1000) + 1
  expect(logBytes() - before).toBeLessThan(each * 55 * seconds)

  const file = join(site.dataDir, 'pitlane.sqlite')
  renameSync(file, `${file}-away`)
  // At most a second later, also in the middle of a flood.
  const until = performance.now() + 1_500
  let told = await health(site)
  while (told[0] === 200 && performance.now() < until) told = await health(site)
  expect(told).toEqual([503, 'moved'])
  for (let at = 0; at < 60; at += 1) expect(await health(site)).toEqual([503, 'moved'])
  renameSync(`${file}-away`, file)
  expect(await health(site)).toEqual([200, 'ok'])
  expect(healthLines(site)).toEqual(['error: health has failed', 'info: health is ok again'])
})

test('what is wrong is logged when it changes, however often a stranger asks', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  for (let at = 0; at < 50; at += 1) await health(site)
  expect(healthLines(site)).toEqual(['warn: health is degraded'])
})

test('checks beside a process that holds the database are told so, and leave no writes behind', async () => {
  await using site = await startSite({ sending: false })
  await using holder = await holdDatabase(site.dataDir)
  const first = await Promise.all(Array.from({ length: 60 }, () => health(site)))
  const later = await Promise.all(Array.from({ length: 60 }, () => health(site)))
  for (const told of [...first, ...later]) expect(told).toEqual([503, 'busy'])
  expect(healthLines(site)).toEqual(['error: health has failed'])
  await holder.release()
  expect(await health(site)).toEqual([200, 'ok'])
})
