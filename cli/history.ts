import type { Context } from '#server/context.ts'
import { when } from './common/print.ts'

/** What was done with a thing, oldest first, as listings and JSON show it. */
export const historyOf = (timeline: Pick<Context['timeline'], 'of'>, thing: string, id: string) =>
  timeline.of(thing, id).map(({ at, actor, act, before, after, note }) => ({
    at: when(at),
    actor,
    act,
    before,
    after,
    note,
  }))
