import type { Command } from 'commander'
import { actInWords } from '#shared/text/acts-in-words.ts'
import type { Context } from '#server/context.ts'
import type { UseContext } from './common/command.ts'
import { searchOptions, searched, type SearchFlags } from './common/list.ts'
import { minute, when, type Print } from './common/print.ts'

type ListedActs = SearchFlags & { who?: string; thing?: string }

/** `history`: what was done, to whatever thing, and by whom. */
export function addHistory(history: Command, useContext: UseContext, print: Print): void {
  searchOptions(history)
    .option('--who <name>', 'only what this person did')
    .option('--thing <kind>', 'only what was done to these, such as booking or site')
    .action(async ({ json, limit, search, since, who, thing }: ListedActs) => {
      const { timeline, contributions } = await useContext()
      const nameOf = namesOfThings(contributions())
      const person = who?.toLowerCase()
      const found = searched(timeline.newest(since), search, (entry) => [
        entry.thing,
        entry.thingId,
        nameOf(entry),
        entry.actor,
        entry.act,
        entry.before,
        entry.after,
        entry.note,
      ])
      print.list(
        found.filter(
          (entry) =>
            (person === undefined || entry.actor.toLowerCase() === person) &&
            (thing === undefined || entry.thing === thing),
        ),
        {
          json,
          limit,
          what: 'acts',
          none: 'Nothing found.',
          row: (entry) => row(entry, nameOf(entry)),
          full: (entry) => full(entry, nameOf(entry)),
          ...([search, who, thing].every((each) => each === undefined) && {
            total: () => timeline.countSince(since),
          }),
        },
      )
    })
}

/** Returns what staff call the thing of an entry; each is looked up once. */
function namesOfThings({ thingName }: ReturnType<Context['contributions']>) {
  const known = new Map<string, string>()
  return ({ thing, thingId }: Entry): string => {
    const key = `${thing} ${thingId}`
    const name = known.get(key) ?? thingName(thing, thingId)
    known.set(key, name)
    return name
  }
}

type Entry = ReturnType<Context['timeline']['of']>[number]

const row = (entry: Entry, name: string) => ({
  when: minute(entry.at),
  who: entry.actor,
  thing: `${entry.thing} ${name}`,
  what: actInWords(entry),
  note: entry.note,
})

const full = ({ at, actor, thing, thingId, act, before, after, note }: Entry, name: string) => ({
  at: when(at),
  actor,
  thing,
  thingId,
  name,
  act,
  before,
  after,
  note,
})

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
