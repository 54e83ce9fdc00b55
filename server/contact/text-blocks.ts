import * as z from 'zod/mini'
import { failure } from '#shared/failures.ts'
import { line } from '#shared/forms/fields.ts'
import { checkForm } from '#shared/forms/form.ts'
import { writtenText, type TextBlockView } from '#shared/contact/tickets.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import { siteAct } from '../timeline/timeline.ts'
import { textBlocks, type Ticket, type TextBlock } from './schema.ts'

/** Max size of a block. A reply has room for several. */
const limits = { title: 60, text: 4_000, blocks: 100 } as const

/** What is filled in when a block is put into a reply. */
const placeholders: Readonly<Record<string, (ticket: Ticket) => string>> = {
  name: ({ name }) => name,
  ticket: ({ ticketId }) => ticketId,
}
const placeholder = /\{(\w{1,30})\}/g

const blockSchema = z.object({
  title: line('Please give the block a title', limits.title),
  text: writtenText('Please write the text of the block', limits.text).check(
    z.refine(
      (text) =>
        Array.from(text.matchAll(placeholder)).every(([, name]) =>
          Object.hasOwn(placeholders, name!),
        ),
      'Only {name} and {ticket} can be filled in',
    ),
  ),
})

/** The texts that staff put into replies. */
export type TextBlocks = ReturnType<typeof createTextBlocks>

/** Creates the store of text blocks, which also fills them in. */
export function createTextBlocks({
  db,
  commit,
  timeline,
}: Pick<Platform, 'db' | 'commit' | 'timeline'>) {
  const all = textBlocks.select(db, 'ORDER BY title COLLATE NOCASE')
  const byTitle = textBlocks.select(db, 'WHERE title = :title COLLATE NOCASE')
  const insert = textBlocks.insert(db)
  const change = textBlocks.update(db, ['title', 'text'], 'WHERE id = :id')
  const removeRow = db.prepareWrite('DELETE FROM text_blocks WHERE id = :id')

  /** @throws invalid with what is wrong in a sentence */
  const checked = (typed: { title: string; text: string }) => {
    const { value, errors } = checkForm(blockSchema, typed)
    if (value) return value
    throw failure('invalid', { message: `${Object.values(errors).join('. ')}.`, errors })
  }

  /** @throws missing */
  const known = (title: string): TextBlock => {
    const found = byTitle.get({ title })
    if (!found) throw failure('missing', { message: `Text block not found: ${title}.` })
    return found
  }

  /** @throws duplicate where another block has the title */
  const checkFree = (title: string, own: TextBlock | null = null) => {
    const taken = byTitle.get({ title })
    if (taken && taken.id !== own?.id) {
      throw failure('duplicate', { message: `There is already a text block “${taken.title}”.` })
    }
  }

  const filled = ({ text }: TextBlock, ticket: Ticket): string =>
    text.replaceAll(placeholder, (whole, name: string) => placeholders[name]?.(ticket) ?? whole)

  const record = (tx: Transaction, act: string, title: string, by: string) =>
    timeline.record(tx, siteAct('text blocks', { actor: by, act, note: title }))

  return {
    /** By title. */
    list: (): TextBlock[] => all.all(),

    /** @throws missing */
    find: known,

    /**
     * @param by who does it, for the timeline, as in all that follow
     * @throws invalid; duplicate where another has the title; wrong-state at the limit
     */
    add: (typed: { title: string; text: string }, by: string): Promise<TextBlock> =>
      commit((tx) => {
        const block = checked(typed)
        checkFree(block.title)
        if (all.all().length >= limits.blocks) {
          throw failure('wrong-state', {
            message: `There can be at most ${limits.blocks} text blocks.`,
          })
        }
        record(tx, 'added', block.title, by)
        return insert(tx, block)!
      }),

    /**
     * Gives a block another title or text.
     * @param title of the block as it is
     * @throws missing; invalid; duplicate where another has the new title
     */
    edit: (
      title: string,
      { title: newTitle, text: newText }: { title?: string | undefined; text?: string | undefined },
      by: string,
    ): Promise<TextBlock> =>
      commit((tx) => {
        const before = known(title)
        const block = checked({ title: newTitle ?? before.title, text: newText ?? before.text })
        checkFree(block.title, before)
        change(tx, block, { id: before.id })
        record(tx, 'changed', block.title, by)
        return { ...before, ...block }
      }),

    /** @throws missing */
    remove: (title: string, by: string): Promise<TextBlock> =>
      commit((tx) => {
        const block = known(title)
        removeRow.run(tx, { id: block.id })
        record(tx, 'removed', block.title, by)
        return block
      }),

    /** The blocks as they go into a reply to a ticket. */
    filledFor: (ticket: Ticket): TextBlockView[] =>
      all.all().map((block) => ({
        id: String(block.id),
        title: block.title,
        text: filled(block, ticket),
      })),

    /** One of them with what is known of a ticket. @throws missing */
    filledOf: (title: string, ticket: Ticket): string => filled(known(title), ticket),
  }
}
