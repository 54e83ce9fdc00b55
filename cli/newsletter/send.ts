import { Option, type Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import type { NewsletterActs } from '#server/newsletter/acts.ts'
import { isMailable } from '#shared/newsletter.ts'
import * as options from '../common/options.ts'
import { minute, when, type Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'
import { harmless } from '../common/terminal.ts'

type SendFlags = {
  news: string
  send?: boolean
  test?: string
  perMinute: number
  by: string
}

/** `newsletter send` and `newsletter issues`: an article to all subscribers. */
export function addNewsletterSend(newsletter: Command, useContext: UseContext, print: Print): void {
  newsletter
    .command('send')
    .description('send an article (dry run without --send)')
    .requiredOption('--news <slug>', 'the article')
    .option('--send', 'send for real; resumes after a crash')
    .addOption(new Option('--test <email>', 'send one copy to try it').conflicts('send'))
    .option(
      '--per-minute <number>',
      'maximum emails per minute',
      (text) => positive(newsletter, text),
      120,
    )
    .addOption(options.by())
    .action(async ({ news: slug, send, test, perMinute, by }: SendFlags) => {
      const { acts } = (await useContext()).features.newsletter
      if (test !== undefined) {
        if (!isMailable(test)) newsletter.error('error: --test is not an email address')
        await acts.sendTrial(slug, test)
        print.line(`One copy goes to ${harmless(test)}; the running server sends it.`)
        return
      }
      if (!send) {
        const { issue, count, sentAt, text } = await acts.preview(slug)
        const who = counted(count, sentAt === null ? 'subscriber' : 'more subscriber')
        const before = sentAt === null ? '' : `It was sent on ${minute(sentAt)}. `
        print.line(`${before}“${harmless(issue.title)}” would go to ${who}.`)
        print.line(`${issue.url}\n\n${harmless(text)}\n`)
        print.line('--test <email> sends one copy to try it.')
        print.line(options.dryRun('send it', '--send'))
        return
      }
      const { queued, slug: sent } = await acts.send(slug, perMinute, by)
      print.line(
        `${counted(queued, 'email')} queued; the running server sends ${perMinute} a minute.`,
      )
      printOutcome(acts, sent, print)
    })

  newsletter
    .command('issues')
    .description('show sent issues and their delivery status')
    .option('--news <slug>', 'one issue, with the addresses that failed')
    .addOption(options.json())
    .action(async ({ news, json }: { news?: string; json?: boolean }) => {
      const { issues, acts } = (await useContext()).features.newsletter
      if (news !== undefined) {
        const slug = await acts.issueCalled(news)
        const { deliveries, failed } = acts.outcome(slug)
        if (json) print.json({ slug, ...deliveries, failures: failed })
        else printOutcome(acts, slug, print)
        return
      }
      const rows = issues.list().map(({ slug, createdAt }) => ({
        slug,
        created: when(createdAt),
        ...acts.outcome(slug).deliveries,
      }))
      print.listing(rows, { json, none: 'Nothing sent yet.' })
    })
}

function printOutcome(acts: Pick<NewsletterActs, 'outcome'>, slug: string, print: Print): void {
  const { deliveries, failed } = acts.outcome(slug)
  print.facts(deliveries)
  for (const { email, reply } of failed) print.line(harmless(`failed: ${email ?? '?'}: ${reply}`))
}

function positive(command: Command, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) {
    command.error('error: --per-minute must be a whole number of at least 1')
  }
  return number
}
