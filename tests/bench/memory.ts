import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requestsPerSecond, startOptions, startPinned } from './load.ts'
import type { StartSite } from './main.ts'

const program = join(import.meta.dirname, '../../server/start.js')

/**
 * Resident memory in MB of the server as `npm start` runs it, at rest after its very first start, and
 * of one without limits after half a minute of load, where /proc tells it.
 */
export async function memory(work: string, startSite: StartSite) {
  const first = await startPinned(
    program,
    { HOST: '127.0.0.1', DATA_DIR: join(work, 'first') },
    startOptions,
  )
  await new Promise((resolve) => setTimeout(resolve, 5000))
  const rest = residentOf(first.process)
  await first.stop()
  const site = await startSite({ UNLIMITED: '1' })
  for (const path of ['/', '/no-such-page', '/api/content/services', '/']) {
    await requestsPerSecond(site.url + path, { seconds: 5 }).catch(() => 0)
    if (process.env.EACH) console.log(path, residentOf(site.process))
  }
  const loaded = residentOf(site.process)
  await site.stop()
  return { rest, loaded }
}

function residentOf({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1]) / 1024
}
