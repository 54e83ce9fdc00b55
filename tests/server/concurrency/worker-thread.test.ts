import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import pino from 'pino'
import { expect, test } from 'vitest'
import { createWorkerThread } from '#server/concurrency/worker-thread.ts'

const script = pathToFileURL(join(import.meta.dirname, '../../support/thread-tasks.ts'))

type Answer = { task: string; threadId: number }

function startThread(options: Partial<Parameters<typeof createWorkerThread>[0]> = {}) {
  const thread = createWorkerThread<string, Answer>({
    script,
    log: pino({ level: 'silent' }),
    ...options,
  })
  return { ...thread, [Symbol.asyncDispose]: () => thread.close() }
}

test('tasks are done one after the other in one thread, which is not this one', async () => {
  await using thread = startThread()
  const answers = await Promise.all(['wait', 'b', 'c'].map((task) => thread.run(task)))
  expect(answers.map(({ task }) => task)).toEqual(['wait', 'b', 'c'])
  expect(new Set(answers.map(({ threadId }) => threadId)).size).toBe(1)
})

test('what Node says of a thread’s files under --watch is no answer to a task', async () => {
  process.env.WATCH_REPORT_DEPENDENCIES = '1'
  try {
    await using thread = startThread()
    const answers = await Promise.all(['a', 'b'].map((task) => thread.run(task)))
    expect(answers.map(({ task }) => task)).toEqual(['a', 'b'])
  } finally {
    delete process.env.WATCH_REPORT_DEPENDENCIES
  }
})

test('what a task throws is its own, and the next one goes on in the same thread', async () => {
  await using thread = startThread()
  const before = await thread.run('a')
  await expect(thread.run('throw')).rejects.toThrow('It was told to.')
  await expect(thread.run(Symbol('cannot be cloned') as never)).rejects.toThrow(
    'could not be cloned',
  )
  expect(await thread.run('b')).toEqual({ task: 'b', threadId: before.threadId })
})

test.each([
  ['ends', 'exit', 'The thread ended with code 3.'],
  ['hangs', 'hang', 'This is taking longer than it should.'],
  ['never ends', 'spin', 'This is taking longer than it should.'],
  ['fills its memory', 'fill', 'memory limit'],
])(
  'a task that %s its thread is given up alone; the others get a new one',
  async (_, task, message) => {
    await using thread = startThread({
      timeoutMs: ['hang', 'spin'].includes(task) ? 2_000 : 60_000,
      megabytes: 32,
    })
    const before = await thread.run('a')
    const [broken, after] = await Promise.allSettled([thread.run(task), thread.run('b')])
    expect(broken).toMatchObject({ status: 'rejected' })
    expect(String((broken as PromiseRejectedResult).reason)).toContain(message)
    const { threadId } = (after as PromiseFulfilledResult<Answer>).value
    expect(threadId).not.toBe(before.threadId)
  },
)

test('a task that takes long by the clock alone, as on a busy machine, is waited for', async () => {
  await using thread = startThread({ timeoutMs: 1_500 })
  expect(await thread.run('late')).toMatchObject({ task: 'late' })
})

test('no more wait than may; further ones are refused at once', async () => {
  await using thread = startThread({ maxWaiting: 2 })
  const tasks = ['wait', 'b', 'c', 'd'].map((task) => thread.run(task))
  const results = await Promise.allSettled(tasks)
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
  expect(results.at(-1)).toMatchObject({ reason: { failure: 'unavailable', status: 503 } })
})

test('a thread that has nothing to do ends, and the next task starts another', async () => {
  await using thread = startThread({ idleMs: 0 })
  const before = await thread.run('a')
  await expect.poll(async () => (await thread.run('b')).threadId).not.toBe(before.threadId)
})

test('closing gives up what is under way, and takes nothing more', async () => {
  const thread = startThread()
  const tasks = [thread.run('hang'), thread.run('b')]
  const settled = Promise.allSettled(tasks)
  await thread.close()
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(thread.run('c')).rejects.toMatchObject({ failure: 'unavailable' })
})
