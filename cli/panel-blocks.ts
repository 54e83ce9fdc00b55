import { readFileSync } from 'node:fs'
import { blockData, type StaffKind } from '#server/clients/own-blocks.ts'
import type { CopiedFile, PanelBlock, PanelFile } from '#server/clients/panels.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/group-commit.ts'
import { known } from './folder-views.ts'
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

/** What was told with the keys of folders, since an alias may be another folder's one day. */
export const withKeys = ({ features: { folders } }: Context, told: BlockOptions): BlockOptions => ({
  ...told,
  ...(told.folder && { folder: told.folder.map((id) => known(folders.store.find(id), id).key) }),
})

/** The data of a block after a change. @throws when the kind does not take it */
export function dataOf(kind: StaffKind, told: BlockOptions, before: object): unknown {
  const text = told.textFile === undefined ? told.text : readText(told.textFile)
  const fits = {
    text: kind === 'text' || kind === 'notes',
    link: kind === 'links' || kind === 'videos',
    folder: kind === 'folders',
    file: kind === 'files' || kind === 'videos',
  }
  const wrong = [
    text !== undefined && !fits.text && '--text',
    told.link && !fits.link && '--link',
    told.folder && !fits.folder && '--folder',
    (told.file ?? told.dropFile) && !fits.file && '--file',
    told.keepLocation !== undefined && !fits.file && '--keep-location',
  ].find((name) => typeof name === 'string')
  if (wrong) throw new Error(`A block of ${kind} takes no ${wrong}.`)
  const parsed = blockData[kind].safeParse({
    ...before,
    ...(text !== undefined && { text }),
    ...(told.link && { links: told.link }),
    ...(told.folder && { folders: told.folder }),
    ...(told.keepLocation !== undefined && { keepLocation: told.keepLocation }),
  })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(
    issue?.path.includes('url')
      ? `A link ${issue.message}.`
      : `A block of ${kind} needs --${fits.folder ? 'folder' : 'text'}.`,
  )
}

const readText = (file: string) => readFileSync(file === '-' ? 0 : file, 'utf8')

/** `Title=https://…`; without a title the address stands for itself. */
export function readLink(given: string, before: BlockOptions['link'] = []) {
  const named = /^(?!https?:|\/)(.+?)=((?:https?:\/)?\/.+)$/s.exec(given)
  return [...before, { title: (named?.[1] ?? given).trim(), url: (named?.[2] ?? given).trim() }]
}

/**
 * Copies files in before the transaction, so that nobody waits for a large one, and takes them
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
