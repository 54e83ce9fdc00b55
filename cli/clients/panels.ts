import { readFileSync } from 'node:fs'
import { Argument, InvalidArgumentError, type Command } from 'commander'
import type { Client, PanelBlock } from '#server/clients/schema.ts'
import type { Context } from '#server/context.ts'
import { folderOf } from '../folders/views.ts'
import { clientOf } from './clients.ts'
import { searchOptions, searched, type SearchFlags } from '../common/list.ts'
import * as options from '../common/options.ts'
import type { Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'
import { harmless } from '../common/terminal.ts'

/** What staff say of a block on the command line. */
type BlockOptions = {
  title?: string
  text?: string
  textFile?: string
  link?: { title: string; url: string }[]
  folder?: string[]
  file?: string[]
  dropFile?: string[]
  keepLocation?: boolean
  by: string
}

/** `panels`: what clients see at /panel, in addition to what every panel has by itself. */
export function addPanels(panels: Command, useContext: UseContext, print: Print): void {
  searchOptions(panels.command('list'))
    .description('list all panels and their number of blocks, newest first')
    .action(async ({ json, limit, search, since = 0 }: SearchFlags) => {
      const { clients } = (await useContext()).features
      const byName = clients.list().filter(({ createdAt }) => createdAt >= since)
      const found =
        json && limit === undefined
          ? byName
          : byName.toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id)
      const row = ({ id, name, panel }: Client) => ({
        panel,
        client: name,
        blocks: clients.panels.list(id).length,
      })
      print.list(
        searched(found, search, ({ name, panel }) => [name, panel]),
        { json, limit, what: 'panels', none: 'No panels.', row, full: row },
      )
    })

  panels
    .command('show <client>')
    .description('show a panel’s blocks in order')
    .addOption(options.json())
    .action(async (given: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const { panels: store } = context.features.clients
      const blocks = store.list(clientOf(context, given).id).map((block, index) => ({
        block,
        about: { block: block.id, place: index + 1, kind: block.kind, title: block.title },
        files: store.files(block.id).map(({ name }) => name),
      }))
      if (json) {
        print.json(blocks.map(({ block: { data }, about, files }) => ({ ...about, data, files })))
      } else {
        const rows = blocks.map(({ block, about, files }) => ({
          ...about,
          content: summary(block, files),
        }))
        print.listing(rows, { none: 'No blocks.' })
      }
    })

  addBlockCreation(panels, useContext, print)
  addBlockChanges(panels, useContext, print)
}

/** What is in a block, in a few words. */
function summary({ data }: PanelBlock, files: readonly string[]): string {
  const { text, links, folders } = data as {
    text?: string
    links?: { title: string }[]
    folders?: string[]
  }
  const parts = [text, ...(links ?? []).map(({ title }) => title), ...(folders ?? []), ...files]
  return parts.filter(Boolean).join(', ')
}

/** `panels add`. */
function addBlockCreation(panels: Command, useContext: UseContext, print: Print): void {
  about(panels.command('add <client> <kind>'))
    .description('add a block to a panel (an unknown type lists the valid ones)')
    .addOption(options.json())
    .action(
      async (
        given: string,
        kind: string,
        { json, ...flags }: BlockOptions & { json?: boolean },
      ) => {
        const context = await useContext()
        const client = clientOf(context, given)
        const { blocks } = context.features.clients
        if (!blocks.kinds().includes(kind)) {
          const kinds = blocks.kinds().join(', ')
          throw new InvalidArgumentError(`Unknown type ${harmless(kind)}. Valid types: ${kinds}.`)
        }
        const block = await blocks.add(client, kind, entryOf(flags, context), flags.by)
        if (json) print.json({ block: block.id })
        else {
          print.line(`Block ${block.id}: added`)
          const note = blocks.noteOf(kind)
          if (note) print.line(note)
          await withheldLines(context, print, block.id)
        }
      },
    )
}

/** `panels move`, `edit` and `remove`. */
function addBlockChanges(panels: Command, useContext: UseContext, print: Print): void {
  panels
    .command('move <block>')
    .addArgument(new Argument('<place>').argParser(options.count))
    .description('move a block to a position in its panel (1 is first)')
    .addOption(options.by())
    .action(async (id: string, to: number, { by }: { by: string }) => {
      const context = await useContext()
      const block = blockOf(context, id)
      await context.features.clients.blocks.move(block, to, by)
      print.line(`Block ${block.id}: moved`)
    })

  about(panels.command('edit <block>'))
    .description('change a block; --link and --folder replace all of them')
    .option('--drop-file <name...>', 'remove files by their names')
    .action(async (id: string, flags: BlockOptions, verb: Command) => {
      options.mustChangeSomething(verb)
      const context = await useContext()
      const block = blockOf(context, id)
      await context.features.clients.blocks.edit(block, entryOf(flags, context), flags.by)
      print.line(`Block ${block.id}: changed`)
      await withheldLines(context, print, block.id)
    })

  panels
    .command('rename <block> <title>')
    .description('change the heading of a block (an empty one means the type’s)')
    .addOption(options.by())
    .action(async (id: string, title: string, { by }: { by: string }) => {
      const context = await useContext()
      const block = blockOf(context, id)
      await context.features.clients.blocks.edit(block, { title }, by)
      print.line(`Block ${block.id}: ${title === '' ? 'heading of its type' : harmless(title)}`)
    })

  panels
    .command('remove <block>')
    .description('remove a block and its files')
    .addOption(options.yes())
    .addOption(options.by())
    .action(async (id: string, { yes, by }: { yes?: boolean; by: string }) => {
      const context = await useContext()
      const block = blockOf(context, id)
      if (!yes) {
        const { panels: store } = context.features.clients
        const files = store.files(block.id).map(({ name }) => name)
        print.line(harmless(`Block ${block.id}: ${block.kind}, ${summary(block, files)}`))
        print.line(options.dryRun('remove it'))
        return
      }
      await context.features.clients.blocks.remove(block, by)
      print.line(`Block ${block.id}: removed`)
    })
}

/** Lists the withheld files of a block and how to release them. */
async function withheldLines({ features }: Context, print: Print, id: number): Promise<void> {
  const withheld = await features.clients.blocks.withheld(id)
  if (withheld.length === 0) return
  for (const name of withheld) print.line(`withheld: ${harmless(name)}`)
  print.line(
    `These RAW files aren’t delivered: their serial numbers can’t be removed.\npanels edit ${id} --keep-location delivers all files of the block unchanged.`,
  )
}

const about = (command: Command) =>
  command
    .option('--title <title>', 'heading (default: the type’s)')
    .option('--text <text>', 'text, notes: the text; an empty line starts a paragraph')
    .option('--text-file <file>', 'text, notes: read the text from a file (- for standard input)')
    .option('--link <title=address...>', 'links, videos: title and URL', readLink)
    .option('--folder <id...>', 'folders: folders, by ID, alias or title')
    .option('--file <path...>', 'files, videos: files to copy in')
    .option(
      '--keep-location',
      'files, videos: keep GPS, serial numbers and owner in delivered files, RAW included',
    )
    .option('--no-keep-location', 'files, videos: remove them (default)')
    .addOption(options.by())

/** What the options say of a block. */
const entryOf = (flags: BlockOptions, context: Context) => ({
  title: flags.title,
  text: flags.textFile === undefined ? flags.text : readText(flags.textFile, context),
  links: flags.link,
  folders: flags.folder?.map((name) => folderOf(context, name).key),
  keepLocation: flags.keepLocation,
  files: flags.file,
  dropFiles: flags.dropFile,
})

const readText = (file: string, { features }: Context) =>
  features.clients.blocks.textOf(readFileSync(file === '-' ? 0 : file))

/** `Title=https://…`; without a title the address stands for itself. */
function readLink(given: string, before: BlockOptions['link'] = []) {
  const named = /^(?!https?:|\/)(.+?)=((?:https?:\/)?\/.+)$/s.exec(given)
  return [...before, { title: (named?.[1] ?? given).trim(), url: (named?.[2] ?? given).trim() }]
}

function blockOf({ features: { clients } }: Context, id: string): PanelBlock {
  const found = /^\d{1,9}$/.test(id) ? clients.panels.find(Number(id)) : null
  if (!found) throw new Error('Block not found; see panels show.')
  return found
}
