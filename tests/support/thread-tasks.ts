import { setTimeout } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { answerTasks } from '#server/concurrency/worker-thread.ts'

// The script of tests/server/concurrency/worker-thread.test.ts: does what it is told.
answerTasks(async (task: string) => {
  if (task === 'throw') throw new Error('It was told to.')
  if (task === 'exit') process.exit(3)
  if (task === 'fill') {
    const kept: unknown[] = []
    for (;;) kept.push(Array.from({ length: 100_000 }, () => ({})))
  }
  if (task === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (task === 'spin') for (;;);
  if (task === 'late') await setTimeout(4_000)
  if (task === 'wait') await setTimeout(50)
  return { task, threadId }
})
