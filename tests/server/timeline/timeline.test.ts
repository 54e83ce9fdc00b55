import { expect, test } from 'vitest'
import { createDatabase } from '#server/db/database.ts'
import { databaseBefore } from '../../support/earlier-database.ts'
import { createTimeline, entryText } from '#server/timeline/timeline.ts'
import { startSite } from '../../support/site.ts'

test('the timeline of a thing is printed in order, in words', async () => {
  await using site = await startSite({ sending: false })
  const { commit, timeline } = site.context
  const about = { thing: 'booking', thingId: 'B-1' }
  await commit((tx) => {
    timeline.record(tx, { ...about, actor: 'visitor', act: 'requested', after: 'requested' })
    timeline.record(tx, { ...about, thingId: 'B-2', actor: 'visitor', act: 'requested' })
  })
  site.clock.advance(1000)
  await commit((tx) =>
    timeline.record(tx, {
      ...about,
      actor: 'mika',
      act: 'state',
      before: 'requested',
      after: 'confirmed',
      note: 'by phone',
    }),
  )
  await commit((tx) => {
    const crew = { act: 'assigned', before: 'confirmed', after: 'confirmed', note: 'Aino' }
    timeline.record(tx, { ...about, actor: 'mika', ...crew })
    timeline.record(tx, { ...about, actor: 'visitor', act: 'placed', after: 'open' })
    timeline.record(tx, { ...about, actor: 'mika', act: 'code created', after: '3' })
    timeline.record(tx, { ...about, actor: 'mika', act: 'uploaded', after: '2 files' })
    timeline.record(tx, {
      ...about,
      actor: 'mika',
      act: 'status',
      before: 'new',
      after: 'closed',
    })
  })
  const entries = timeline.of('booking', 'B-1')
  expect(entries.map(entryText)).toEqual([
    'visitor: requested',
    'mika: state, requested → confirmed (by phone)',
    'mika: assigned (Aino)',
    'visitor: placed, open',
    'mika: code created, number 3',
    'mika: uploaded 2 files',
    'mika: status new → closed',
  ])
  expect(entries.map(({ at }) => at).slice(0, 2)).toEqual([site.clock() - 1000, site.clock()])
})

test('an entry that is rolled back was never there, and forgotten things leave nothing', async () => {
  await using site = await startSite({ sending: false })
  const { commit, timeline } = site.context
  const entry = { thing: 'booking', thingId: 'B-1', actor: 'mika', act: 'note', note: 'hello' }
  await expect(
    commit((tx) => {
      timeline.record(tx, entry)
      throw new Error('spin')
    }),
  ).rejects.toThrow('spin')
  expect(timeline.of('booking', 'B-1')).toEqual([])
  await commit((tx) => timeline.record(tx, entry))
  await commit((tx) => timeline.forget(tx, 'booking', ['B-1']))
  expect(timeline.of('booking', 'B-1')).toEqual([])
})

test('the timeline takes over earlier acts on tickets', () => {
  using earlier = databaseBefore('0020')
  const { db } = earlier
  db.exec(`
    INSERT INTO tickets VALUES (1, 'abc123', 'answered', 'Aino', 'a@b.example', 'S', 'M', '2026',
      1, 2, 'h', 'n', 1);
    INSERT INTO ticket_changes (ticket, at, author, kind, before, after) VALUES
      (1, 10, 'mika', 'status', 'new', 'answered'), (1, 20, 'mika', 'note', NULL, 'called back');`)
  earlier.migrate()
  const timeline = createTimeline(createDatabase(db, 'at once'), { clock: () => 0 })
  expect(timeline.of('ticket', 'abc123')).toMatchObject([
    { at: 10, actor: 'mika', act: 'status', before: 'new', after: 'answered', note: null },
    { at: 20, actor: 'mika', act: 'note', before: null, after: null, note: 'called back' },
  ])
  expect(() => db.prepare('SELECT * FROM ticket_changes')).toThrow('no such table')
})
