import type { Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import { minute, type Print } from '../common/print.ts'
import { harmless } from '../common/terminal.ts'
import { showImport } from './transfer.ts'

type Chosen = { all?: boolean; by: string }

/** `events subscribe`, `feeds`, `unsubscribe`, `changes`, `approve` and `dismiss`: organisers' calendars. */
export function addFeeds(events: Command, useContext: UseContext, print: Print): void {
  events
    .command('subscribe <url>')
    .description('read an organiser’s calendar (.ics) every hour; changes wait for approval')
    .option('--zone <name>', 'venue time zone, for times in UTC or without a zone')
    .option('--series <text>', 'series of its events')
    .addOption(options.by())
    .action(
      async (url: string, { zone, series, by }: { zone?: string; series?: string; by: string }) => {
        const { subscriptions } = (await useContext()).features.calendar
        const given = { zone: zone ?? null, series: series ?? null, actor: by }
        const { feed, changes, unreadable } = await subscriptions.subscribe(url, given)
        print.line(`Feed ${feed.id}: subscribed, ${counted(changes, 'change')} to approve`)
        if (unreadable > 0) print.line(`${counted(unreadable, 'event')} in it can’t be read.`)
        if (changes > 0) print.line('See them with: pitlane events changes')
      },
    )

  events
    .command('feeds')
    .description('list subscribed calendars')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { subscriptions } = (await useContext()).features.calendar
      const rows = subscriptions.list().map((feed) => ({
        id: feed.id,
        url: feed.url,
        zone: feed.zone ?? '',
        series: feed.series ?? '',
        read: feed.fetchedAt === null ? '' : minute(feed.fetchedAt),
        changes: feed.openChanges,
        problem: feed.problem ?? '',
      }))
      print.listing(rows, { json, none: 'No subscribed calendars.' })
    })

  events
    .command('unsubscribe <feed>')
    .description('stop reading a calendar; its events stay')
    .addOption(options.by())
    .action(async (id: string, { by }: { by: string }) => {
      const { subscriptions } = (await useContext()).features.calendar
      const feed = await subscriptions.unsubscribe(options.count(id), by)
      print.line(`Feed ${feed.id}: unsubscribed`)
    })

  events
    .command('changes')
    .description('list changes in subscribed calendars that ours doesn’t have yet')
    .option('--refresh', 'fetch them now')
    .addOption(options.json())
    .action(async ({ refresh, json }: { refresh?: boolean; json?: boolean }) => {
      const { subscriptions } = (await useContext()).features.calendar
      const failed = refresh ? await subscriptions.refreshAll() : []
      const changes = await subscriptions.changes()
      if (json) {
        print.json(
          changes.map(({ eventId, kind, title, lines, event, feed }) => ({
            event: eventId,
            kind,
            title,
            lines,
            feed: feed.id,
            row: event,
          })),
        )
        return
      }
      for (const { feed, problem } of failed) {
        print.line(harmless(`Feed ${feed.id} can’t be read: ${problem}`))
      }
      for (const { feed, where, problem } of await subscriptions.unreadable()) {
        print.line(harmless(`Feed ${feed.id}: ${where} can’t be read: ${problem}`))
      }
      for (const { eventId, kind, title, lines } of changes) {
        print.line(harmless(`${kind}: ${eventId}, ${title}`))
        for (const line of lines) print.line(harmless(`  ${line}`))
      }
      print.line(
        changes.length > 0
          ? '\nApprove with: pitlane events approve <id...>, or --all'
          : 'Nothing to approve.',
      )
    })

  events
    .command('approve [ids...]')
    .description('apply changes from subscribed calendars')
    .option('--all', 'all changes')
    .addOption(options.by())
    .action(async (ids: string[], { all, by }: Chosen, command: Command) => {
      const { subscriptions } = (await useContext()).features.calendar
      const chosen = all ? 'all' : options.severalOrAll(command, ids)
      showImport(await subscriptions.approve(chosen, by), print)
    })

  events
    .command('dismiss [ids...]')
    .description('ignore changes until the organiser’s calendar changes again')
    .option('--all', 'all changes')
    .addOption(options.by())
    .action(async (ids: string[], { all, by }: Chosen, command: Command) => {
      const { subscriptions } = (await useContext()).features.calendar
      const chosen = all ? 'all' : options.severalOrAll(command, ids)
      const { length } = await subscriptions.dismiss(chosen, by)
      print.line(length === 1 ? '1 change dismissed' : `${length} changes dismissed`)
    })
}
