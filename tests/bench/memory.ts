import { readFileSync } from 'node:fs'
import { requestsPerSecond } from './load.ts'
import type { StartSite } from './main.ts'

/** Resident memory in MB at rest and after half a minute of load, where /proc tells it. */
export async function memory({ startSite }: { startSite: StartSite }) {
  const site = await startSite({ UNLIMITED: '1' })
  const resident = () => {
    const status = readFileSync(`/proc/${site.process.pid}/status`, 'utf8')
    return Number(status.match(/VmRSS:\s+(\d+)/)?.[1]) / 1024
  }
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const rest = resident()
  for (const path of ['/', '/no-such-page', '/api/content/services', '/']) {
    await requestsPerSecond(site.url + path, { seconds: 5 }).catch(() => 0)
    if (process.env.EACH) console.log(path, resident())
  }
  const loaded = resident()
  await site.stop()
  return { rest, loaded }
}
