import { Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import { textOfMail } from '#server/text/mail-text.ts'
import type { IssueData } from '#server/newsletter/mails.ts'
import { issueOf, type Issue } from '#server/newsletter/issues.ts'
import { issueDays } from '#server/newsletter/mails.ts'
import { dayMs } from '#shared/durations.ts'
import { isMailable, type SubscriberStatus } from '#shared/newsletter.ts'
import * as options from './options.ts'
import { when, type Print } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

/** Mails queued in one transaction, so that the server's own writes get their turn. */
const batchSize = 200

type SendFlags = { news: string; send?: boolean; test?: string; perMinute: number }

/** `newsletter send` and `newsletter issues`: an article to all subscribers. */
export function addNewsletterSend(newsletter: Command, useContext: UseContext, print: Print): void {
  newsletter
    .command('send')
    .description('send an article; says what it would do until --send is given')
    .requiredOption('--news <slug>', 'the article')
    .option('--send', 'really send it; again after a crash goes on where it stopped')
    .addOption(new Option('--test <email>', 'send one copy to try it').conflicts('send'))
    .option(
      '--per-minute <number>',
      'most mails in a minute',
      (text) => positive(newsletter, text),
      120,
    )
    .action(async ({ news: slug, send, test, perMinute }: SendFlags) => {
      const context = await useContext()
      const issue = await issueOf(slug, context.content, context.config.siteUrl)
      if (test !== undefined) {
        if (!isMailable(test)) newsletter.error('error: --test is no e-mail address')
        await queueTrial(context, issue, test)
        print.line(`One copy goes to ${harmless(test)}; the running server sends it.`)
        return
      }
      if (!send) {
        rehearse(context, issue, print)
        return
      }
      const queued = await queue(context, issue, perMinute)
      print.line(`${queued} mail(s) queued; the running server sends ${perMinute} a minute.`)
      report(context, slug, print)
    })

  newsletter
    .command('issues')
    .description('what was sent, and what became of the mails')
    .option('--news <slug>', 'one issue, with the addresses that could not be reached')
    .addOption(options.json())
    .action(async ({ news, json }: { news?: string; json?: boolean }) => {
      const context = await useContext()
      const { issues } = context.features.newsletter
      if (news !== undefined) {
        if (!issues.find(news)) throw new Error(`Nothing was sent under ${harmless(news)}.`)
        const { deliveries, failed } = outcome(context, news)
        if (json) print.json({ slug: news, ...deliveries, failures: failed })
        else report(context, news, print)
        return
      }
      const rows = issues.list().map(({ slug, createdAt }) => ({
        slug,
        created: when(createdAt),
        ...outcome(context, slug).deliveries,
      }))
      print.listing(rows, { json, none: 'Nothing was sent yet.' })
    })
}

/** Queues one copy of an issue for whoever tries it. */
async function queueTrial(
  { commit, mails, clock, features: { newsletter } }: Context,
  issue: Issue,
  test: string,
): Promise<void> {
  await commit((tx) => {
    const data: IssueData = { slug: newsletter.issues.keepTrial(tx, issue), test }
    mails.enqueue(tx, 'newsletterIssue', { key: `trial/${issue.slug}:${clock()}`, data })
  })
}

/** Says what an issue would look like, and to how many it would go. */
function rehearse(context: Context, issue: Issue, print: Print): void {
  const { count } = tally(context, 'subscribed')
  print.line(`“${harmless(issue.title)}” would go to ${count} subscriber(s).`)
  print.line(`${issue.url}\n\n${harmless(textOfMail(issue.html))}\n`)
  print.line('Nothing was sent. Give --test <email> to try it, --send to send it.')
}

/**
 * Queues an issue for all subscribers, spread over time. Each mail is known by issue and
 * subscriber, so that going on after a crash queues none twice.
 * @throws when its mails may have been forgotten
 */
async function queue(
  {
    mails,
    commit,
    clock,
    features: {
      newsletter: { subscribers, issues },
    },
  }: Context,
  issue: Issue,
  perMinute: number,
): Promise<number> {
  const sentAt = issues.keptAt(issue.slug)
  if (sentAt !== null && sentAt < clock() - issueDays * dayMs) {
    throw new Error(
      `This article was sent on ${when(sentAt).slice(0, 10)}. Who got it is known for ${issueDays} days, so it cannot be sent again.`,
    )
  }
  await commit((tx) => issues.keep(tx, issue))
  const start = clock()
  let queued = 0
  let after = 0
  for (;;) {
    const people = subscribers.recipients(after, batchSize)
    if (people.length === 0) return queued
    await commit((tx) => {
      for (const { id } of people) {
        const data: IssueData = { slug: issue.slug, subscriber: id }
        const dueAt = start + Math.floor(queued / perMinute) * 60_000
        if (
          mails.enqueue(tx, 'newsletterIssue', { key: issues.mailKey(issue.slug, id), data, dueAt })
        ) {
          queued += 1
        }
      }
    })
    after = people.at(-1)!.id
  }
}

function outcome(
  {
    features: {
      newsletter: { issues },
    },
  }: Context,
  slug: string,
) {
  const found = new Map(issues.deliveries(slug).map(({ status: is, count }) => [is, count]))
  const deliveries = {
    waiting: (found.get('queued') ?? 0) + (found.get('sending') ?? 0),
    sent: found.get('sent') ?? 0,
    failed: found.get('failed') ?? 0,
    dropped: found.get('dropped') ?? 0,
  }
  return { deliveries, failed: issues.failures(slug) }
}

function report(context: Context, slug: string, print: Print): void {
  const { deliveries, failed } = outcome(context, slug)
  print.facts(deliveries)
  for (const { email, reply } of failed) print.line(harmless(`failed: ${email ?? '?'}: ${reply}`))
}

const tally = (
  {
    features: {
      newsletter: { subscribers },
    },
  }: Context,
  wanted: SubscriberStatus,
) => subscribers.counts().find(({ status: is }) => is === wanted) ?? { count: 0 }

function positive(command: Command, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) {
    command.error('error: --per-minute must be a whole number from 1 on')
  }
  return number
}
