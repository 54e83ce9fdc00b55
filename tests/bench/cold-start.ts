import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { median, startEnvironment, startOptions, waitFor } from './load.ts'

const root = join(import.meta.dirname, '../..')

/** Milliseconds from the start of the process to its first answer: the built site, and an empty Express server. */
export async function coldStart(work: string) {
  const empty = join(root, 'node_modules/.cache/empty-express.mjs')
  writeFileSync(
    empty,
    "import express from 'express'\nexpress().get('/', (_, response) => response.send('ok')).listen(process.env.PORT)\n",
  )
  const dataDir = mkdtempSync(join(work, 'cold-'))
  const times = { ours: [] as number[], empty: [] as number[] }
  for (let round = 0; round < 6; round += 1) {
    const port = 20_000 + Math.floor(Math.random() * 20_000)
    const ours = await timed([...startOptions, join(root, 'server/start.js')], {
      ...startEnvironment,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
    })
    const bare = await timed([empty], { PORT: String(port + 1) })
    // The first start migrates; what counts is a restart.
    if (round > 0) {
      times.ours.push(ours)
      times.empty.push(bare)
    }
  }
  return { ours: median(times.ours), empty: median(times.empty) }
}

async function timed(args: readonly string[], env: Record<string, string>): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: 'ignore',
  })
  await waitFor(`http://127.0.0.1:${env.PORT}/`, child)
  const ms = performance.now() - started
  child.kill('SIGTERM')
  await once(child, 'exit')
  return ms
}
