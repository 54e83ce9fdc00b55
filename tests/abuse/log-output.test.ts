import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'

const script = join(import.meta.dirname, '../support/logging-process.ts')

function start(output: 'pipe' | number) {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', output, 'pipe', 'ipc'] })
  let errors = ''
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  return {
    child,
    flooded: once(child, 'message'),
    errors: () => errors,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}

test('lines for a pipe that is not read are left out, counted, and said once it is read', async () => {
  await using started = start('pipe')
  await started.flooded
  let text = ''
  started.child.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await eventually(() => expect(text.includes('"later"')).toBe(true))
  await eventually(() => expect(text.includes('lines are missing here')).toBe(true))
  const lines = text.split('\n').slice(0, -1)
  const parsed = lines.map((each) => JSON.parse(each) as { msg: string; lines?: number })
  const count = parsed.filter(({ msg }) => msg === 'flood').length
  const missing = parsed.reduce((sum, each) => sum + (each.lines ?? 0), 0)
  // What waits is bounded by a few megabytes, of 17.
  expect(count).toBeLessThan(50_000)
  expect(count + missing).toBeGreaterThanOrEqual(100_000)
})

test('a full disk behind standard output does not end the process', async () => {
  await using started = start(openSync('/dev/full', 'w'))
  await started.flooded
  await once(started.child, 'message')
  expect(started.errors()).toBe('')
  expect(started.child.exitCode).toBeNull()
})

test('a reader of standard output that has gone does not end the process', async () => {
  await using started = start('pipe')
  started.child.stdout!.destroy()
  await started.flooded
  await once(started.child, 'message')
  expect(started.errors()).toBe('')
  expect(started.child.exitCode).toBeNull()
})
