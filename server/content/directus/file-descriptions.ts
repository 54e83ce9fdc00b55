import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { eachInTurns } from '../../concurrency/in-turns.ts'
import type { FileDescription } from '../reader.ts'
import { unavailable } from '../unavailable.ts'
import type { Lists } from './lists.ts'
import { isRefusal } from './request.ts'
import type { Fetched, Load } from './snapshots.ts'

/** Under which key the snapshots have what files say of themselves; no collection has such a name. */
export const descriptionsKey = 'directus_files'

const always = 'id,width,height,description'
/** What to ask for in turn: someone has to make `alt`, and old versions know no focal point. */
const fieldLists = [
  `${always},focal_point_x,focal_point_y,alt`,
  `${always},focal_point_x,focal_point_y`,
  always,
] as const

/** What is of another type than it should be counts as nothing. */
const optionalText = z.optional(
  z.pipe(
    z.unknown(),
    z.transform((value) => (typeof value === 'string' ? value : null)),
  ),
)
const optionalNumber = z.optional(
  z.pipe(
    z.unknown(),
    z.transform((value) => (typeof value === 'number' ? value : null)),
  ),
)
const fileSchema = z.object({
  id: z.string(),
  width: optionalNumber,
  height: optionalNumber,
  description: optionalText,
  alt: optionalText,
  focal_point_x: optionalNumber,
  focal_point_y: optionalNumber,
})

/**
 * Makes the reading of what files of a Directus say of themselves. A service that hides its files
 * says nothing of them; one that begins to has failed, and what it said last stays.
 */
export function createDescriptionLoader({
  lists,
  relearn,
  log,
}: {
  lists: Pick<Lists, 'all'>
  /** How long missing fields are not asked for, in milliseconds. */
  relearn: number
  log: Pick<Logger, 'info'>
}): (known: Parameters<Load>[1], retryFor: number) => Promise<Fetched> {
  /** Which list the service takes, and until when to be content with it. */
  let learnt = { list: 0, until: -Infinity }

  async function ask(known: Parameters<Load>[1], left: () => number): Promise<Fetched> {
    if (performance.now() >= learnt.until) learnt.list = 0
    for (let list = learnt.list; ; list += 1) {
      try {
        const found = await lists.all('/files', fieldLists[list]!, known?.tag, left)
        if (list !== learnt.list) learnt = { list, until: performance.now() + relearn }
        return found
      } catch (err) {
        if (!isRefusal(err) || list === fieldLists.length - 1) throw err
      }
    }
  }

  return async (known, retryFor) => {
    const until = performance.now() + retryFor
    const left = () => Math.max(until - performance.now(), 100)
    const before = (known?.value ?? []) as readonly FileDescription[]
    try {
      const found = await ask(known, left)
      if (found === 'unchanged') return found
      const value: FileDescription[] = []
      await eachInTurns(found.value as unknown[], (row) => value.push(...wordsOf(row)))
      return { value, tag: found.tag }
    } catch (err) {
      if (!isRefusal(err)) throw err
      if (before.length === 0) {
        if (!known)
          log.info({ refused: err.refused }, 'content service hides its file descriptions')
        return { value: [], tag: null }
      }
      const explanation = 'the content service hides its files, so no images can be shown'
      throw Object.assign(unavailable(err.refused, { cause: err.cause }), { explanation })
    }
  }
}

function wordsOf(row: unknown): FileDescription[] {
  const { success, data } = fileSchema.safeParse(row)
  if (!success) return []
  const { id, alt, description, width, height, focal_point_x: x, focal_point_y: y } = data
  const text = [alt, description].find((each) => each?.trim())?.trim() ?? null
  return [
    { id, alt: text, width: width ?? null, height: height ?? null, focal: [x ?? null, y ?? null] },
  ]
}
