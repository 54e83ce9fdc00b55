import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { PanelBlock as BlockKind } from '../contributions/panel-block.ts'
import { decodedText } from '../text/decoded-text.ts'
import { recordOf } from './acts.ts'
import type { Clients } from './clients.ts'
import { keepsLocation, withheldOf } from './panel-files.ts'
import type { CopiedFile } from './panels.ts'
import type { Client, PanelBlock, PanelFile } from './schema.ts'

/** Block fields as staff enter them; omitted ones stay as they are. */
export type BlockEntry = {
  /** Empty for the heading of its kind. */
  title?: string | undefined
  text?: string | undefined
  links?: readonly { title: string; url: string }[] | undefined
  folders?: readonly string[] | undefined
  keepLocation?: boolean | undefined
  /** Paths of files to copy in. */
  files?: readonly string[] | undefined
  /** Names of files to drop. */
  dropFiles?: readonly string[] | undefined
}

/** A kind of block that staff can add. */
type StaffBlock = Extract<BlockKind, { by: 'staff' }>

/** Staff's acts on panel blocks. `by` is recorded in the timeline. */
export type BlockActs = ReturnType<typeof createBlockActs>

/** Each act is one transaction and is recorded in the client's timeline. */
export function createBlockActs(
  { commit, timeline, contributions }: Pick<Platform, 'commit' | 'timeline' | 'contributions'>,
  { panels, metadata }: Pick<Clients, 'panels' | 'metadata'>,
) {
  const record = recordOf(timeline)
  const kinds = (): StaffBlock[] =>
    contributions().panelBlocks.filter((block) => block.by === 'staff')
  const kindOf = (name: string): StaffBlock => {
    const found = kinds().find(({ kind }) => kind === name)
    if (!found) throw failure('invalid', { message: `There are no ${name} blocks.` })
    return found
  }

  /**
   * Copies files in before the transaction, so other writes don't wait for a large one, and removes
   * them if it fails.
   */
  const withFiles = async <Value>(
    paths: readonly string[],
    work: (tx: Transaction, files: readonly CopiedFile[]) => Value,
  ): Promise<Value> => {
    const copies: CopiedFile[] = []
    try {
      for (const path of paths) copies.push(panels.copy(path))
      return await commit((tx) => work(tx, copies))
    } catch (error) {
      panels.forget(copies)
      throw error
    }
  }

  return {
    /** The text of a file as office programs write it. */
    textOf: decodedText,

    /** The kinds of blocks that staff can add, by their names. */
    kinds: (): string[] => kinds().map(({ kind }) => kind),

    /** A note to staff after adding a block of a kind, if any. */
    noteOf: (kind: string): string | null => kindOf(kind).content.note ?? null,

    /** Puts a block at the end of a panel. @throws invalid when its kind does not take what is said */
    add(client: Client, kind: string, entry: BlockEntry, by: string): Promise<PanelBlock> {
      const data = dataOf(kindOf(kind), entry, {})
      return withFiles(entry.files ?? [], (tx, files) => {
        const block = panels.add(tx, {
          clientId: client.id,
          kind,
          title: entry.title ?? null,
          data,
        })
        for (const file of files) panels.attach(tx, block.id, file)
        record(tx, client.id, by, 'block added', block.id)
        return block
      })
    },

    /**
     * Changes a block; links and folders replace all existing ones.
     * @throws invalid when its kind does not take what is said; missing for a file that is not there
     */
    async edit(block: PanelBlock, entry: BlockEntry, by: string): Promise<void> {
      const data = dataOf(kindOf(block.kind), entry, block.data as object)
      const title = entry.title === undefined ? block.title : entry.title || null
      const dropped = filesNamed(panels.files(block.id), entry.dropFiles ?? [])
      await withFiles(entry.files ?? [], (tx, files) => {
        panels.change(tx, { id: block.id, title, data })
        for (const file of dropped) panels.detach(tx, file)
        for (const file of files) panels.attach(tx, block.id, file)
        record(tx, block.clientId, by, 'block changed', block.id)
      })
      panels.forget(dropped)
    },

    /** Moves a block to a place in its panel, counted from 1; beyond the end is the end. */
    move: (block: PanelBlock, to: number, by: string): Promise<void> =>
      commit((tx) => {
        panels.move(tx, block, to)
        record(tx, block.clientId, by, 'block moved', block.id)
      }),

    /** Removes a block and its files. */
    async remove(block: PanelBlock, by: string): Promise<void> {
      const files = panels.files(block.id)
      await commit((tx) => {
        panels.remove(tx, block.id)
        record(tx, block.clientId, by, 'block removed', block.id)
      })
      panels.forget(files)
    },

    /** Names of withheld files, whose private metadata cannot be removed. */
    async withheld(id: number): Promise<string[]> {
      const block = panels.find(id)
      if (!block || keepsLocation(block)) return []
      const files = panels.files(id)
      const withheld = await withheldOf(files, metadata)
      return files.filter((file) => withheld.has(file.id)).map(({ name }) => name)
    },
  }
}

/** The data of a block after a change. @throws invalid when the kind does not take it */
function dataOf(
  { kind, content: { schema, options, settle } }: StaffBlock,
  { text, links, folders, files, dropFiles, keepLocation }: BlockEntry,
  before: object,
): unknown {
  const takes = (option: (typeof options)[number]) => options.includes(option)
  const wrong = [
    text !== undefined && !takes('text') && '--text',
    links && !takes('link') && '--link',
    folders && !takes('folder') && '--folder',
    (files ?? dropFiles) && !takes('file') && '--file',
    keepLocation !== undefined && !takes('file') && '--keep-location',
  ].find((name) => typeof name === 'string')
  if (wrong) throw failure('invalid', { message: `${wrong} doesn’t apply to ${kind} blocks.` })
  const said = {
    ...(text !== undefined && { text }),
    ...(links && { links }),
    ...(folders && { folders }),
    ...(keepLocation !== undefined && { keepLocation }),
  }
  const parsed = schema.safeParse({ ...before, ...(settle ? settle(said) : said) })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw failure('invalid', {
    message: issue?.path.includes('url')
      ? `A link ${issue.message}.`
      : `${kind} blocks need --${options[0]}.`,
  })
}

/** The files to drop. @throws missing when one is not there */
const filesNamed = (files: readonly PanelFile[], names: readonly string[]): PanelFile[] =>
  names.map((name) => {
    const found = files.find((file) => file.name === name)
    if (!found) throw failure('missing', { message: `File not found in this block: ${name}.` })
    return found
  })
