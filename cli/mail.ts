import { Option, type Command } from 'commander'
import type { CallData } from '#server/contact/mail-call-parser.ts'
import type { Mail, MailStatus } from '#server/mail/mail.ts'
import * as options from './options.ts'
import { minute, when, type Print } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

const statuses = ['queued', 'sending', 'sent', 'failed', 'dropped'] as const satisfies MailStatus[]

/** `mail`: what the site sends, and what could not be delivered. */
export function addMail(program: Command, useContext: UseContext, print: Print): void {
  const mail = program.command('mail').description('mails that the site sends')
  addReading(mail, useContext, print)
  addRetrying(program, mail, useContext, print)
  addHeld(mail, useContext, print)
}

function addReading(mail: Command, useContext: UseContext, print: Print): void {
  mail
    .command('list')
    .description('the mails, oldest first')
    .option('--failed', 'only those that could not be delivered')
    .addOption(new Option('--status <status>', 'only these').choices(statuses).conflicts('failed'))
    .addOption(options.json())
    .action(
      async ({
        failed,
        status,
        json,
      }: {
        failed?: boolean
        status?: MailStatus
        json?: boolean
      }) => {
        const { mails } = await useContext()
        const found = mails.list(failed ? 'failed' : status)
        const rows = json ? found.map(fullRow) : found.map(tableRow)
        print.listing(rows, { json, none: 'No mails.' })
      },
    )

  mail
    .command('show <id>')
    .description('one mail, with the last word of the mail server')
    .addOption(options.json())
    .action(async (id: string, { json }: { json?: boolean }) => {
      const { mails } = await useContext()
      const found = mails.find(Number(id))
      if (!found) throw new Error(`There is no mail ${harmless(id)}.`)
      if (json) print.json(fullRow(found))
      else print.facts(fullRow(found))
    })
}

function addRetrying(program: Command, mail: Command, useContext: UseContext, print: Print): void {
  mail
    .command('retry [id]')
    .description('send again at once: one mail by its id, or all that failed')
    .option('--failed', 'the same as "all"')
    .action(async (id: string | undefined, { failed }: { failed?: boolean }) => {
      if ((id === undefined) === !failed && id !== 'all') {
        program.error('error: name a mail, or say "all" or --failed')
      }
      const { mails, commit } = await useContext()
      const ids = failed || id === 'all' ? mails.list('failed').map((one) => one.id) : [Number(id)]
      const retried = await commit((tx) => ids.filter((one) => mails.retry(tx, one)))
      if (retried.length === 0 && id !== undefined && id !== 'all') {
        throw new Error(`There is no failed or waiting mail ${harmless(id)}.`)
      }
      print.line(`${retried.length} mail(s) will be sent by the running server.`)
    })
}

function addHeld(mail: Command, useContext: UseContext, print: Print): void {
  mail
    .command('held')
    .description('notices without a saved message, beyond those that were delivered')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { calls } = (await useContext()).features.contact
      const rows = calls.held().map(({ id, receivedAt, data }) => {
        const { subject, replyTo, htmlContent } = JSON.parse(data ?? '{}') as CallData
        return {
          id,
          received: when(receivedAt),
          replyTo: replyTo ?? null,
          subject: subject ?? null,
          content: htmlContent ?? null,
        }
      })
      print.listing(rows, { json, none: 'Nothing is held.' })
    })
}

const tableRow = ({ id, kind, status, reference, attempts, queuedAt, lastReply }: Mail) => ({
  id,
  kind,
  status,
  ticket: reference,
  attempts,
  queued: minute(queuedAt),
  lastReply,
})

const fullRow = ({
  id,
  kind,
  dedupeKey,
  reference,
  queuedAt,
  dueAt,
  settledAt,
  ...mail
}: Mail) => ({
  id,
  kind,
  dedupeKey,
  // Scripts of staff read it under this name.
  ticketId: reference,
  ...mail,
  queuedAt: when(queuedAt),
  dueAt: when(dueAt),
  settledAt: when(settledAt),
})
