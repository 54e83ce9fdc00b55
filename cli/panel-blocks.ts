import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import type { CopiedFile, PanelBlock, PanelFile } from '#server/clients/panels.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/group-commit.ts'
import type { PanelBlock as BlockKind } from '#server/panel-block.ts'
import { harmless } from './terminal.ts'

/** What staff say of a block on the command line. */
export type BlockOptions = {
  title?: string
  text?: string
  textFile?: string
  link?: { title: string; url: string }[]
  folder?: string[]
  file?: string[]
  dropFile?: string[]
  keepLocation?: boolean
}

/** A kind of block that staff can add. */
export type StaffBlock = Extract<BlockKind, { by: 'staff' }>

/** The kind of that name. @throws wrong use, with the names that there are */
export function staffBlock({ contributions }: Context, kind: string): StaffBlock {
  const blocks = contributions().panelBlocks.filter((block) => block.by === 'staff')
  const found = blocks.find((block) => block.kind === kind)
  if (found) return found
  const kinds = blocks.map((block) => block.kind).join(', ')
  throw new InvalidArgumentError(`There is no kind ${harmless(kind)}. The kinds are ${kinds}.`)
}

/** The data of a block after a change. @throws when the kind does not take it */
export function dataOf(
  { kind, content: { schema, options, settle } }: StaffBlock,
  told: BlockOptions,
  before: object,
): unknown {
  const text = told.textFile === undefined ? told.text : readText(told.textFile)
  const takes = (option: (typeof options)[number]) => options.includes(option)
  const wrong = [
    text !== undefined && !takes('text') && '--text',
    told.link && !takes('link') && '--link',
    told.folder && !takes('folder') && '--folder',
    (told.file ?? told.dropFile) && !takes('file') && '--file',
    told.keepLocation !== undefined && !takes('file') && '--keep-location',
  ].find((name) => typeof name === 'string')
  if (wrong) throw new Error(`A block of ${kind} takes no ${wrong}.`)
  const said = {
    ...(text !== undefined && { text }),
    ...(told.link && { links: told.link }),
    ...(told.folder && { folders: told.folder }),
    ...(told.keepLocation !== undefined && { keepLocation: told.keepLocation }),
  }
  const parsed = schema.safeParse({ ...before, ...(settle ? settle(said) : said) })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(
    issue?.path.includes('url')
      ? `A link ${issue.message}.`
      : `A block of ${kind} needs --${options[0]}.`,
  )
}

const readText = (file: string) => readFileSync(file === '-' ? 0 : file, 'utf8')

/** `Title=https://…`; without a title the address stands for itself. */
export function readLink(given: string, before: BlockOptions['link'] = []) {
  const named = /^(?!https?:|\/)(.+?)=((?:https?:\/)?\/.+)$/s.exec(given)
  return [...before, { title: (named?.[1] ?? given).trim(), url: (named?.[2] ?? given).trim() }]
}

/**
 * Copies files in before the transaction, so that other writes do not wait for a large one, and takes them
 * away again when it fails.
 */
export async function withFiles<Value>(
  { commit, features }: Context,
  { file = [] }: BlockOptions,
  work: (tx: Transaction, files: readonly CopiedFile[]) => Value,
): Promise<Value> {
  const { panels } = features.clients
  const copies: CopiedFile[] = []
  try {
    for (const path of file) copies.push(panels.copy(path))
    return await commit((tx) => work(tx, copies))
  } catch (error) {
    panels.forget(copies)
    throw error
  }
}

/** The files to drop. @throws when one is not there */
export function filesNamed(
  { features: { clients } }: Context,
  { id }: PanelBlock,
  { dropFile = [] }: BlockOptions,
): PanelFile[] {
  const files = clients.panels.files(id)
  return dropFile.map((name) => {
    const found = files.find((file) => file.name === name)
    if (!found) throw new Error(`There is no file ${harmless(name)} in this block.`)
    return found
  })
}
