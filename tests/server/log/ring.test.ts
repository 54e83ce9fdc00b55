import { expect, test } from 'vitest'
import { createRing } from '#server/log/ring.ts'

const line = (n: number) => `{"n":${n},"text":"${'ä'.repeat(n % 300)}"}\n`

test('buffers that are used again change no line that is still shown or written', () => {
  const pending: { lines: Buffer; done(): void }[] = []
  const written: string[] = []
  const finish = (entries: typeof pending) => {
    for (const { lines, done } of entries) {
      written.push(lines.toString())
      done()
    }
  }
  const ring = createRing(1000, 'test', (lines, done) => {
    pending.push({ lines, done })
    // The disk is some pieces behind, now and then many.
    if (pending.length > 40) finish(pending.splice(0, 38))
  })
  const expected: string[] = []
  for (let n = 0; n < 20_000; n += 1) {
    expected.push(line(n))
    ring.push(line(n), 1)
    if (n % 997 === 0) expect(ring.since(n).lines).toEqual([line(n).trimEnd()])
  }
  ring.flush()
  finish(pending)
  expect(written.join('')).toBe(expected.join(''))
  expect(ring.since(0).lines).toEqual(expected.slice(-1000).map((each) => each.trimEnd()))
})
