import type { Command } from 'commander'
import type { PanelBlock } from '#server/clients/panels.ts'
import { clientOf } from './clients.ts'
import * as options from './options.ts'
import { addBlockCreation, addBlockChanges } from './panel-editing.ts'
import type { Print } from './print.ts'
import type { UseContext } from './command.ts'

/** `panels`: what clients see at /panel, beside what every panel has by itself. */
export function addPanels(program: Command, useContext: UseContext, print: Print): void {
  const panels = program.command('panels').description("the blocks of clients' panels")

  panels
    .command('list')
    .description('the panels of all clients, with how many blocks each has')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { clients } = (await useContext()).features
      const rows = clients.list().map(({ id, name, panel }) => ({
        panel,
        client: name,
        blocks: clients.panels.list(id).length,
      }))
      print.listing(rows, { json, none: 'No panels.' })
    })

  panels
    .command('show <client>')
    .description('the blocks of a panel, in their order')
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
