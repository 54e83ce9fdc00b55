import { Option, type Command } from 'commander'
import type { Subscriber } from '#server/newsletter/schema.ts'
import { subscriberStatuses, type SubscriberStatus } from '#shared/newsletter.ts'
import { printFound, searchOptions, type SearchFlags } from '../common/list.ts'
import * as options from '../common/options.ts'
import { addNewsletterImport } from './import.ts'
import { addNewsletterSend } from './send.ts'
import { minute, when, type ExportTo, type Print, type Row } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'
import { harmless } from '../common/terminal.ts'

const status = () =>
  new Option('--status <status>', 'only rows with this status').choices(subscriberStatuses)

type ListedSubscribers = SearchFlags & { status?: SubscriberStatus }

/** `newsletter`: who is on the list, and sending an article to them. */
export function addNewsletter(newsletter: Command, useContext: UseContext, print: Print): void {
  addReading(newsletter, useContext, print)
  addExport(newsletter, useContext, print)
  addNewsletterImport(newsletter, useContext, print)
  addRemoval(newsletter, useContext, print)
  addNewsletterSend(newsletter, useContext, print)
}

function addReading(newsletter: Command, useContext: UseContext, print: Print): void {
  searchOptions(newsletter.command('list'))
    .description('list addresses, newest first')
    .addOption(status())
    .action(async (flags: ListedSubscribers) => {
      const { subscribers } = (await useContext()).features.newsletter
      const found = subscribers.newest({ from: flags.since, status: flags.status })
      printFound(print, found, flags, {
        textsOf: ({ email, name }) => [email, name],
        what: 'addresses',
        isJsonOldestFirst: true,
        none: 'No subscribers.',
        row: tableRow,
        full: fullRow,
      })
    })

  newsletter
    .command('show <email>')
    .description('show one address with its proof of consent')
    .addOption(options.json())
    .action(async (email: string, { json }: { json?: boolean }) => {
      const { subscribers } = (await useContext()).features.newsletter
      const subscriber = mustFind(subscribers.find(email), email)
      const history = subscribers
        .history(subscriber.id)
        .map(({ at, kind, policy, source, note }) => ({ at: when(at), kind, policy, source, note }))
      if (json) print.json({ ...fullRow(subscriber), history })
      else {
        print.facts(fullRow(subscriber))
        print.listing(history, { none: '' })
      }
    })
}

function addExport(newsletter: Command, useContext: UseContext, print: Print): void {
  newsletter
    .command('export')
    .description('export addresses with their status')
    .addOption(options.format())
    .addOption(options.from())
    .addOption(options.to())
    .addOption(status())
    .addOption(options.out())
    .addOption(options.raw())
    .action(
      async ({
        from,
        to: before,
        status: only,
        ...rest
      }: ExportTo & { from?: number; to?: number; status?: SubscriberStatus }) => {
        const { subscribers } = (await useContext()).features.newsletter
        const people = subscribers.list({ from, before, status: only })
        await print.export(rowsOf(people), { columns, ...rest })
      },
    )
}

function addRemoval(newsletter: Command, useContext: UseContext, print: Print): void {
  newsletter
    .command('remove <email>')
    .description(
      'remove an address from the list; also by the subject of the email that unsubscribes it',
    )
    .option('--block', 'never send it another confirmation')
    .option('--erase', 'erase it with its whole history')
    .addOption(options.yes())
    .addOption(options.by())
    .action(
      async (
        email: string,
        { block, erase, yes, by }: { block?: boolean; erase?: boolean; yes?: boolean; by: string },
      ) => {
        const { subscribers, acts } = (await useContext()).features.newsletter
        const subscriber = mustFind(subscribers.find(email) ?? subscribers.ofSubject(email), email)
        const how = erase ? 'erased' : block ? 'blocked' : 'removed'
        if (erase && !yes) {
          print.facts(fullRow(subscriber))
          print.line(options.dryRun('erase it with its proof of consent'))
          return
        }
        await acts.remove(subscriber, how, by)
        print.line(`${harmless(subscriber.email)}: ${how}`)
      },
    )
}

function mustFind(subscriber: Subscriber | null, email: string): Subscriber {
  if (!subscriber) throw new Error(`${harmless(email)} is not on the list.`)
  return subscriber
}

const columns = ['email', 'name', 'status', 'createdAt', 'since'] as const

/** The fields that are exported; the token that unsubscribes is not among them. */
const fullRow = ({ email, name, status: is, createdAt, since }: Subscriber): Row => ({
  email,
  name,
  status: is,
  createdAt: when(createdAt),
  since: when(since),
})

const tableRow = ({ email, name, status: is, since }: Subscriber): Row => ({
  email,
  name,
  status: is,
  since: minute(since),
})

function* rowsOf(people: Iterable<Subscriber>): Generator<Row> {
  for (const person of people) yield fullRow(person)
}
