import type { DeskGroup } from '#shared/desk/lines.ts'
import { dateAt, isWorkingDay } from '#shared/dates/civil-dates.ts'
import { paths } from '#shared/paths.ts'
import { todayGroups } from '../contributions/desk-source.ts'
import type { DigestLine, Feature, Platform } from '../feature.ts'
import { mailMessage } from '../mail/layout.ts'
import { mailbox } from '../mail/message.ts'
import type { Fact } from '../mail/tables.ts'
import { thingList } from '../mail/things.ts'
import type { Markup } from '../text/markup.ts'

/** What a queued digest remembers. */
type DigestData = { lines: readonly DigestLine[] }

/** The email of a day to staff about what waits for them; on days with nothing there is none. */
export function digestFeature({ config, clock, commit, mails, contributions }: Platform): Feature {
  const inbox = mailbox(config.mail.staff)
  return {
    name: 'digest',
    mailTemplates: {
      staffDigest: {
        keptDays: 30,
        listsOthers: true,
        async render({ data }, brand) {
          const { lines = [] } = JSON.parse(data ?? '{}') as Partial<DigestData>
          const { more, details, titles } = partsOf(lines, {
            groups: await todayGroups(contributions().desk),
            siteUrl: config.siteUrl,
          })
          if (more.length + details.length === 0) return { skip: 'nothing left to tell' }
          const message = mailMessage(brand, {
            subject: subjectOf(titles),
            headline: 'Waiting for you',
            button: { label: 'Open the desk', url: config.siteUrl + paths.desk() },
            more,
            ...(details.length > 0 && { details }),
            small: config.mail.everyDay
              ? 'Sent once a day, only when something’s waiting.'
              : 'Sent once on each working day, only when something’s waiting.',
          })
          return { to: inbox, message }
        },
      },
    },
    jobs: [
      {
        kind: 'digest.send',
        about: 'emails staff a list of what’s waiting',
        waitsForTrustedClock: false,
        recurs: { daily: '08:00' },
        async run() {
          const today = dateAt(clock())
          if (!config.mail.everyDay && !isWorkingDay(today)) return
          await commit((tx) => {
            const data: DigestData = { lines: contributions().digest() }
            const key = `digest-${today}`
            if (data.lines.length > 0) mails.enqueue(tx, 'staffDigest', { key, data })
          })
        },
      },
    ],
  }
}

/** Lists that a subject names; an inbox shows no more of it. */
const namedInSubject = 2

/** What waits, as it's called in the email, so that it needn't be opened to know. */
function subjectOf(titles: readonly string[]): string {
  const rest = titles.length - namedInSubject
  return [
    'Waiting for you',
    [...titles.slice(0, namedInSubject), ...(rest > 0 ? [`${rest} more`] : [])].join(', '),
  ]
    .filter(Boolean)
    .join(': ')
}

/** The things of each line as they are now; as a command where the desk doesn't list them. */
function partsOf(
  lines: readonly DigestLine[],
  { groups, siteUrl }: { groups: readonly DeskGroup[]; siteUrl: string },
): { more: Markup[]; details: Fact[]; titles: string[] } {
  const more: Markup[] = []
  const titles: string[] = []
  const details: Fact[] = []
  for (const { count, what, command, group } of lines) {
    if (group === undefined) details.push([`${count} ${what}`, command])
  }
  // In the desk's order; what was settled since doesn't wait any more.
  for (const group of groups) {
    if (!lines.some((line) => line.group === group.title)) continue
    titles.push(`${group.title} (${group.total})`)
    more.push(thingList(group, siteUrl))
  }
  return { more, details, titles }
}
