import { Option, type Command } from 'commander'
import type { Subscriber } from '#server/newsletter/subscriber.ts'
import { subscriberStatuses, type SubscriberStatus } from '#shared/newsletter.ts'
import * as options from './options.ts'
import { addNewsletterImport } from './newsletter-import.ts'
import { addNewsletterSend } from './newsletter-send.ts'
import { minute, when, type ExportTo, type Print, type Row } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

const status = () => new Option('--status <status>', 'only these').choices(subscriberStatuses)

/** `newsletter`: who is on the list, and sending an article to them. */
export function addNewsletter(program: Command, useContext: UseContext, print: Print): void {
  const newsletter = program.command('newsletter').description('the mailing list')
  addReading(newsletter, useContext, print)
  addExport(newsletter, useContext, print)
  addNewsletterImport(program, newsletter, useContext, print)
  addRemoval(newsletter, useContext, print)
  addNewsletterSend(newsletter, useContext, print)
}

function addReading(newsletter: Command, useContext: UseContext, print: Print): void {
  newsletter
    .command('list')
    .description('the addresses, oldest first')
    .addOption(status())
    .addOption(options.json())
    .action(async ({ status: only, json }: { status?: SubscriberStatus; json?: boolean }) => {
      const { subscribers } = (await useContext()).features.newsletter
      const rows = Array.from(subscribers.list({ status: only }), json ? fullRow : tableRow)
      print.listing(rows, { json, none: 'Nobody.' })
    })

  newsletter
    .command('show <email>')
    .description('one address, with the proof of its consent')
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
    .description('every address with its status')
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
    .description('take an address off the list, as when somebody asks for it by mail')
    .option('--block', 'and never send it a confirmation again')
    .option('--erase', 'forget it with its whole history')
    .action(async (email: string, { block, erase }: { block?: boolean; erase?: boolean }) => {
      const { commit, features } = await useContext()
      const { subscribers } = features.newsletter
      const subscriber = mustFind(subscribers.find(email), email)
      await commit((tx) => {
        if (erase) subscribers.erase(tx, email)
        else subscribers.leave(tx, subscriber, block ? 'blocked' : 'removed')
      })
      print.line(`${harmless(email)}: ${erase ? 'erased' : block ? 'blocked' : 'removed'}`)
    })
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
