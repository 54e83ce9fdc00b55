import { text as textOf } from 'node:stream/consumers'
import type { Command } from 'commander'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import type { UseContext } from './common/command.ts'
import * as options from './common/options.ts'
import { minute, type Print } from './common/print.ts'

type BlockChanges = { title?: string; text?: string; by: string }

/** `tickets emails`: what waits in the mailbox for staff. */
export function addEmails(tickets: Command, useContext: UseContext, print: Print): void {
  tickets
    .command('emails')
    .description('list emails to read in your mailbox: about a ticket, but not a reply to ours')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { inbound, waitingReasons } = (await useContext()).features.contact
      const rows = inbound.waiting().map(({ sender, subject, receivedAt, reason, ticketId }) => ({
        received: json ? helsinkiIso(receivedAt) : minute(receivedAt),
        from: sender,
        subject,
        ticket: ticketId,
        why: waitingReasons[reason],
      }))
      print.listing(rows, { json, none: 'No emails to read.' })
    })
}

/** `tickets blocks` with `add`, `edit` and `remove`: texts for replies. */
export function addBlocks(tickets: Command, useContext: UseContext, print: Print): void {
  const blocksOf = async () => (await useContext()).features.contact.blocks
  const blocks = tickets
    .command('blocks')
    .description('texts to insert into replies; {name} and {ticket} are filled in')

  blocks
    .command('list')
    .description('list text blocks by title')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const all = (await blocksOf()).list()
      const rows = all.map(({ title, text }) => ({ title, text }))
      print.listing(rows, { json, none: 'No text blocks.' })
    })

  blocks
    .command('add <title>')
    .description('add a text block (text from --text or standard input)')
    .option('--text <text>', 'the text; at most 4,000 characters')
    .addOption(options.by())
    .action(async (title: string, { text, by }: { text?: string; by: string }) => {
      const typed = { title, text: text ?? (await textFromInput()) }
      const added = await (await blocksOf()).add(typed, by)
      print.line(`${added.title}: added`)
    })

  blocks
    .command('edit <title>')
    .description('change the title or text of a text block')
    .option('--title <title>', 'another title')
    .option('--text <text>', 'another text; - reads standard input')
    .addOption(options.by())
    .action(async (title: string, changes: BlockChanges, verb: Command) => {
      options.mustChangeSomething(verb)
      const text = changes.text === '-' ? await textFromInput() : changes.text
      const entry = { title: changes.title, text }
      const changed = await (await blocksOf()).edit(title, entry, changes.by)
      print.line(`${changed.title}: changed`)
    })

  blocks
    .command('remove <title>')
    .description('remove a text block')
    .addOption(options.yes())
    .addOption(options.by())
    .action(async (title: string, { yes = false, by }: { yes?: boolean; by: string }) => {
      const store = await blocksOf()
      if (yes) print.line(`${(await store.remove(title, by)).title}: removed`)
      else {
        const { title: found, text } = store.find(title)
        print.facts({ title: found, text })
        print.line(options.dryRun('remove it'))
      }
    })
}

/** What is piped into the command. @throws when someone is at the keyboard instead */
async function textFromInput(): Promise<string> {
  if (process.stdin.isTTY) throw new Error('Write the text with --text, or pipe it in.')
  return textOf(process.stdin)
}
