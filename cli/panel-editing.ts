import { Argument, type Command } from 'commander'
import { heldBackOf, keepsLocation } from '#server/clients/panel-files.ts'
import type { PanelBlock } from '#server/clients/panels.ts'
import type { Context } from '#server/context.ts'
import { clientOf } from './clients.ts'
import * as options from './options.ts'
import {
  dataOf,
  filesNamed,
  readLink,
  staffBlock,
  withFiles,
  type BlockOptions,
} from './panel-blocks.ts'
import type { Print } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

/** `panels add`. */
export function addBlockCreation(panels: Command, useContext: UseContext, print: Print): void {
  about(panels.command('add <client> <kind>'))
    .description('put a block at the end of a panel; an unknown kind is answered with all kinds')
    .addOption(options.json())
    .action(
      async (given: string, kind: string, { json, ...told }: BlockOptions & { json?: boolean }) => {
        const context = await useContext()
        const { id: clientId } = clientOf(context, given)
        const { panels: store } = context.features.clients
        const definition = staffBlock(context, kind)
        const data = dataOf(definition, told, {})
        const block = await withFiles(context, told, (tx, files) => {
          const made = store.add(tx, { clientId, kind, title: told.title ?? null, data })
          for (const file of files) store.attach(tx, made.id, file)
          return made
        })
        if (json) print.json({ block: block.id })
        else {
          print.line(`Block ${block.id}: added`)
          if (definition.content.note) print.line(definition.content.note)
          await heldLines(context, print, block.id)
        }
      },
    )
}

/** `panels move`, `edit` and `remove`. */
export function addBlockChanges(panels: Command, useContext: UseContext, print: Print): void {
  panels
    .command('move <block>')
    .addArgument(new Argument('<place>').argParser(options.count))
    .description('move a block to a place in its panel, counted from 1')
    .action(async (id: string, to: number) => {
      const context = await useContext()
      const block = blockOf(context, id)
      await context.commit((tx) => context.features.clients.panels.move(tx, block, to))
      print.line(`Block ${block.id}: moved`)
    })

  about(panels.command('edit <block>'))
    .description('change what is given; --link and --folder replace all of them')
    .option('--drop-file <name...>', 'remove files by their names')
    .action(async (id: string, told: BlockOptions) => {
      const context = await useContext()
      const block = blockOf(context, id)
      const data = dataOf(staffBlock(context, block.kind), told, block.data as object)
      const title = told.title === undefined ? block.title : told.title || null
      const { panels: store } = context.features.clients
      const dropped = filesNamed(context, block, told)
      await withFiles(context, told, (tx, files) => {
        store.change(tx, { id: block.id, title, data })
        for (const file of dropped) store.detach(tx, file)
        for (const file of files) store.attach(tx, block.id, file)
      })
      store.forget(dropped)
      print.line(`Block ${block.id}: changed`)
      await heldLines(context, print, block.id)
    })

  panels
    .command('remove <block>')
    .description('remove a block and its files')
    .action(async (id: string) => {
      const context = await useContext()
      const block = blockOf(context, id)
      const { panels: store } = context.features.clients
      const files = store.files(block.id)
      await context.commit((tx) => store.remove(tx, block.id))
      store.forget(files)
      print.line(`Block ${block.id}: removed`)
    })
}

/** Says which files of a block are held back, and what opens them. */
async function heldLines({ features }: Context, print: Print, id: number): Promise<void> {
  const { panels, metadata } = features.clients
  const block = panels.find(id)
  if (!block || keepsLocation(block)) return
  const files = panels.files(id)
  const held = await heldBackOf(files, metadata)
  if (held.size === 0) return
  for (const { id: file, name } of files) {
    if (held.has(file)) print.line(`held back: ${harmless(name)}`)
  }
  print.line(
    `Serial numbers cannot be taken out of these camera files, so nobody gets them;\npanels edit ${id} --keep-location lets all files of the block leave as they are.`,
  )
}

const about = (command: Command) =>
  command
    .option('--title <title>', 'heading; the kind has one of its own')
    .option('--text <text>', 'text, notes: what it says; an empty line begins a paragraph')
    .option('--text-file <file>', 'text, notes: the same from a file, - for the standard input')
    .option('--link <title=address...>', 'links, videos: where they lead', readLink)
    .option('--folder <id...>', 'folders: ids of shared folders')
    .option('--file <path...>', 'files, videos: copies of these files')
    .option(
      '--keep-location',
      'files, videos: let them leave with position, serial numbers and owner, also camera files that cannot be cleaned',
    )
    .option('--no-keep-location', 'files, videos: take these out of what leaves, as usual')

function blockOf({ features: { clients } }: Context, id: string): PanelBlock {
  const found = /^\d{1,9}$/.test(id) ? clients.panels.find(Number(id)) : null
  if (!found) throw new Error('There is no block with this number; see panels show.')
  return found
}
