import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { runCli } from '../support/run-cli.ts'
import type { StartSite } from './main.ts'

const GB = 1e9

/**
 * What large folders cost: how much the server grows while 5 GB are zipped (MB), how fast that goes
 * (MB/s), and how long the first page of a folder of 10 000 files takes against one that has no more than that page (ms).
 * @param work a directory for the files, which take no room: they are nothing but holes
 */
export async function folders({ startSite, work }: { startSite: StartSite; work: string }) {
  const dataDir = join(work, 'data-folders')
  const large = makeFiles(dataDir, 'large', { count: 5, bytes: GB })
  const many = makeFiles(dataDir, 'many', { count: 10_000, bytes: 1 })
  const few = makeFiles(dataDir, 'few', { count: 120, bytes: 1 })
  const keys = new Map<string, string>()
  for (const directory of [large, many, few]) {
    const { out, err } = await runCli(['folders', 'add', directory, '--json'], {
      dataDir,
      // No server has run there yet.
      env: { SITE_URL: 'http://localhost' },
    })
    if (!out) throw new Error(err)
    keys.set(directory, (JSON.parse(out) as { folder: string }).folder)
  }
  const site = await startSite({ UNLIMITED: '1', DATA_DIR: dataDir })
  const address = (directory: string) => `${site.url}/s/${keys.get(directory)}`
  const resident = () => {
    const status = readFileSync(`/proc/${site.process.pid}/status`, 'utf8')
    return Number(status.match(/VmRSS:\s+(\d+)/)?.[1]) / 1024
  }
  // The second is as good as any later one; the first also loads code.
  await measure(address(few))
  await measure(address(many))
  const times = { many: [] as number[], few: [] as number[] }
  // By turns, so a busy machine slows both.
  for (let round = 0; round < 25; round += 1) {
    times.many.push(await measure(address(many)))
    times.few.push(await measure(address(few)))
  }
  const page = { many: median(times.many), few: median(times.few) }
  const before = resident()
  let max = before
  const watching = setInterval(() => (max = Math.max(max, resident())), 50)
  const started = performance.now()
  const bytes = await drain(`${address(large)}/zip`)
  const seconds = (performance.now() - started) / 1000
  clearInterval(watching)
  await site.stop()
  return { page, growth: max - before, speed: bytes / 1e6 / seconds, bytes }
}

function makeFiles(
  dataDir: string,
  directory: string,
  { count, bytes }: { count: number; bytes: number },
): string {
  const root = join(dataDir, 'folders', directory)
  mkdirSync(root, { recursive: true })
  for (let index = 0; index < count; index += 1) {
    const path = join(root, `FILM_${index}.mov`)
    if (bytes <= 1) writeFileSync(path, 'x')
    else {
      const file = openSync(path, 'w')
      ftruncateSync(file, bytes)
      closeSync(file)
    }
  }
  return directory
}

async function measure(url: string): Promise<number> {
  const started = performance.now()
  const response = await fetch(url)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} answered with ${response.status}.`)
  return performance.now() - started
}

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!

/** Reads a reply to its end and throws it away. @returns its bytes */
function drain(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.once('end', () => resolve(bytes))
      response.once('error', reject)
    }).once('error', reject)
  })
}
