import { InvalidArgumentError, Option, type Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import type { Context } from '#server/context.ts'
import type { Mail, MailStatus } from '#server/mail/schema.ts'
import { searchOptions, searched, type SearchFlags } from './common/list.ts'
import * as options from './common/options.ts'
import { minute, when, type Print } from './common/print.ts'
import type { UseContext } from './common/command.ts'
import { harmless } from './common/terminal.ts'

const statuses = ['queued', 'sending', 'sent', 'failed', 'dropped'] as const satisfies MailStatus[]

/** `mail`: what the site sends, and what could not be delivered. */
export function addMail(mail: Command, useContext: UseContext, print: Print): void {
  addReading(mail, useContext, print)
  addRetrying(mail, useContext, print)
  addDismissing(mail, useContext, print)
  addHeld(mail, useContext, print)
}

function addReading(mail: Command, useContext: UseContext, print: Print): void {
  searchOptions(mail.command('list'))
    .description('list emails, newest first')
    .option('--failed', 'only failed emails that need someone; newsletters by --status failed')
    .addOption(
      new Option('--status <status>', 'only rows with this status')
        .choices(statuses)
        .conflicts('failed'),
    )
    .addOption(options.email())
    .option('--kind <kind>', 'only this kind, such as confirmation')
    .action(async ({ json, limit, search, ...asked }: ListedMails) => {
      const { mails } = await useContext()
      print.list(searched(those(mails, asked), search, textsOf), {
        json,
        limit,
        what: 'emails',
        isJsonOldestFirst: true,
        none: 'No emails found.',
        row: tableRow,
        full: fullRow,
        // A filter has to look at all of them.
        ...([search, ...Object.values(asked)].every((each) => each === undefined) && {
          total: mails.count,
        }),
      })
    })

  mail
    .command('show <id>')
    .description('show one email and the server’s last response')
    .addOption(options.json())
    .action(async (id: string, { json }: { json?: boolean }) => {
      const { mails } = await useContext()
      const found = mails.find(Number(id))
      if (!found) throw new Error(`Email not found: ${harmless(id)}.`)
      if (json) print.json(fullRow(found))
      else print.facts(fullRow(found))
    })
}

function addRetrying(mail: Command, useContext: UseContext, print: Print): void {
  mail
    .command('retry [id]')
    .description(
      'retry one email by its ID, all failed ones but newsletters, those of a newsletter, or all that wait for their next attempt',
    )
    .option('--failed', 'same as "all"')
    .option('--news <slug>', 'those of one newsletter that failed')
    .option('--waiting', 'all that were tried and wait, once the mail server works again')
    .addOption(options.by())
    .action(async (id: string | undefined, { failed, waiting, news, by }: RetriedMails) => {
      if ([id !== undefined, failed, waiting, news !== undefined].filter(Boolean).length !== 1) {
        throw new InvalidArgumentError('Give an email ID, "all", --news, --failed or --waiting.')
      }
      if (id !== undefined && id !== 'all' && !/^\d{1,15}$/.test(id)) {
        throw new Error(`No failed or queued email: ${harmless(id)}.`)
      }
      const { mails, newsletter } = (await useContext()).features
      const which =
        news !== undefined
          ? { issue: await newsletter.acts.issueCalled(news) }
          : waiting
            ? 'waiting'
            : failed || id === 'all'
              ? 'failed'
              : Number(id)
      const retried = await mails.acts.retry(which, by)
      print.line(`${counted(retried, 'email')} queued for the running server.`)
    })
}

function addDismissing(mail: Command, useContext: UseContext, print: Print): void {
  mail
    .command('dismiss <id>')
    .description('take a failed email off the list, once you’ve dealt with it another way')
    .addOption(options.by())
    .action(async (id: string, { by }: { by: string }) => {
      if (!/^\d{1,15}$/.test(id)) throw new Error(`No failed email: ${harmless(id)}.`)
      const { acts } = (await useContext()).features.mails
      await acts.dismiss(Number(id), by)
      print.line(`Email ${id} is off the list of failed emails.`)
    })
}

function addHeld(mail: Command, useContext: UseContext, print: Print): void {
  mail
    .command('held')
    .description('list undelivered notices with no saved ticket')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { calls } = (await useContext()).features.contact
      const rows = calls.held().map(({ id, receivedAt, data }) => {
        const { subject, replyTo, htmlContent } = data ?? {}
        return {
          id,
          received: when(receivedAt),
          replyTo: replyTo ?? null,
          subject: subject ?? null,
          content: htmlContent ?? null,
        }
      })
      print.listing(rows, { json, none: 'No held notices.' })
    })
}

type RetriedMails = { failed?: boolean; waiting?: boolean; news?: string; by: string }

type ListedMails = SearchFlags & {
  failed?: boolean
  status?: MailStatus
  email?: string
  kind?: string
}

/** The emails that are asked for, the newest first. */
function* those(
  { newest, withAddress }: Pick<Context['mails'], 'newest' | 'withAddress'>,
  { failed, status = failed ? 'failed' : undefined, email: address, kind, since = 0 }: ListedMails,
): Generator<Mail> {
  for (const each of address === undefined ? newest() : withAddress(address).toReversed()) {
    const isAsked =
      // As the desk and health count them.
      !(failed && each.isBulk) &&
      (status === undefined || each.status === status) &&
      (kind === undefined || each.kind === kind) &&
      each.queuedAt >= since
    if (isAsked) yield each
  }
}

/** What people know an email by. */
const textsOf = ({ id, kind, reference, recipient, data, lastReply }: Mail) => [
  id,
  kind,
  reference,
  recipient,
  data,
  lastReply,
]

const tableRow = ({ id, kind, status, attempts, queuedAt, lastReply, ...mail }: Mail) => ({
  id,
  kind,
  status,
  about: mail.thing === null ? mail.reference : `${mail.thing} ${mail.thingId}`,
  to: mail.recipient,
  attempts,
  queued: minute(queuedAt),
  lastReply,
})

const fullRow = ({
  id,
  kind,
  dedupeKey,
  reference,
  thing,
  thingId,
  recipient,
  data,
  status,
  attempts,
  queuedAt,
  dueAt,
  settledAt,
  lastReply,
  messageId,
}: Mail) => ({
  id,
  kind,
  dedupeKey,
  // Scripts of staff read it under this name.
  ticketId: reference,
  thing,
  thingId,
  // Known from the first attempt on.
  to: recipient,
  data,
  status,
  attempts,
  lastReply,
  messageId,
  queuedAt: when(queuedAt),
  dueAt: when(dueAt),
  settledAt: when(settledAt),
})
