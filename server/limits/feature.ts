import * as z from 'zod'
import { dayMs } from '#shared/dates/durations.ts'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { inBatches } from '../db/in-batches.ts'
import { todayGroups } from '../contributions/desk-source.ts'
import type { Feature, Platform } from '../feature.ts'
import { mailMessage, paragraphs } from '../mail/layout.ts'
import type { Mail } from '../mail/schema.ts'
import { mailbox, type Brand, type Message } from '../mail/message.ts'
import { listHeading, smallButton, thingList } from '../mail/things.ts'
import { staffSummaryKind } from '../mail/store.ts'
import type { MailTemplate } from '../mail/template.ts'
import { html } from '../text/markup.ts'
import { sharesFile } from '../shares/settings.ts'
import { limitAlarmKind, type LimitAlarm } from '../shares/shares.ts'

/** Days for which it is known who claimed what. */
const claimDays = 30
/** Emails that a summary shows, and characters of each. */
const maxMailsShown = 40
const maxTextShown = 1_500

/** The job that forgets claims. */
const forgetKind = 'limits.forget'

/** Said in log, health and doctor while nothing is limited. */
const withoutShares =
  'SHARES=off: NO LIMITS on what strangers can hold or cause; never run a public site like this.'

/** What staff can do about the things of a noun: where the desk has them, and commands. */
const careOf: Readonly<Record<string, readonly [group: string, list: string, clear: string]>> = {
  booking: [
    'Booking requests in quarantine',
    'pitlane bookings list --state quarantined',
    'pitlane bookings decline --like <reference>',
  ],
  order: [
    'Orders on hold',
    'pitlane orders list --status waiting',
    'pitlane orders cancel --like <order>',
  ],
  ticket: [
    'Tickets in quarantine',
    'pitlane tickets list --status quarantined',
    'pitlane tickets set <ticket> spam',
  ],
  withdrawal: ['Withdrawals', 'pitlane orders withdrawals', 'pitlane orders show <order>'],
}

/**
 * What staff hear of the limits on strangers: an email when one is reached, a summary in place of many
 * emails of a kind, and the doctor's word when they are off.
 */
export function limitsFeature(platform: Platform): Feature {
  const { shares, clock, commit, warnings } = platform
  return {
    name: 'limits',
    signs: [{ kind: 'links', what: 'links that confirm a waiting request', purposes: ['claim'] }],
    mailTemplates: {
      [limitAlarmKind]: alarmMail(platform),
      [staffSummaryKind]: summaryMail(platform),
    },
    jobs: [
      {
        kind: forgetKind,
        about: `deletes claims after ${claimDays} days`,
        recurs: { daily: '03:30' },
        run: () => inBatches(commit, (tx) => shares.claims.forget(tx, clock() - claimDays * dayMs)),
      },
    ],
    personalData: [
      {
        name: 'limits',
        policy: [
          {
            what: 'Limits against misuse',
            data: 'Keyed hashes of your mailbox and network for each booking request, order and doubtful message',
            ground:
              'Our legitimate interest in keeping dates and stock free for everyone (Art. 6(1)(f))',
            kept: `${claimDays} days`,
          },
        ],
        forgottenBy: { job: forgetKind },
        find: (email) =>
          shares.about(email).map(({ noun, thing, units, at, parked }) => ({
            noun,
            thing,
            units,
            at: helsinkiIso(at),
            waits: parked,
          })),
        erase: (tx, email) => ({ erased: shares.erase(tx, email) }),
      },
    ],
    health: (): Record<string, string> => (shares.isOn ? {} : { shares: 'off' }),
    doctor: [
      {
        check: 'shares',
        look() {
          // The server may have been told so in an environment of its own.
          if (!shares.isOn || warnings.recorded().includes(withoutShares)) {
            return {
              state: 'warn',
              text: 'SHARES=off: anyone can hold every date and every piece; never on a public site',
            }
          }
          return shares.lookAtSettings()
        },
      },
    ],
    start() {
      if (!shares.isOn) warnings.set('shares', withoutShares)
    },
  }
}

const alarmSchema = z.object({
  noun: z.string(),
  limit: z.string(),
  isRefused: z.optional(z.boolean()),
}) satisfies z.ZodType<LimitAlarm>

/** A limit was reached. */
const alarmMail = ({ config, shares, contributions }: Platform): MailTemplate => ({
  keptDays: 30,
  listsOthers: true,
  async render({ data }, brand) {
    const { noun, limit, isRefused } = alarmSchema.parse(JSON.parse(data ?? '{}'))
    const [title, list, clear] = careOf[noun] ?? []
    const { siteUrl } = config
    const beyond = isRefused
      ? 'What goes beyond it is turned away for now, and its sender asked to try again later or to email us.'
      : `Requests beyond it are kept but hold no dates or stock, and expire after ${shares.settings().waitingHours} hours unless you accept them.`
    const groups = await todayGroups(contributions().desk)
    const group = groups.find((each) => each.title === title)
    return {
      to: mailbox(config.mail.staff),
      message: mailMessage(brand, {
        subject: `Limit reached: ${noun}`,
        headline: `More ${noun} traffic than usual`,
        body: paragraphs(
          `A limit was reached: ${limit}. ${beyond} This may be an attack, or just a busy day.`,
        ),
        details: [
          ...(list ? [['See what’s waiting', list] as const] : []),
          ...(clear ? [['Clear a flood', clear] as const] : []),
          ['Change the limits', `${sharesFile} beside the content`],
        ],
        button: { label: 'Open the desk', url: siteUrl + paths.desk() },
        ...(group && {
          more: thingList(group, siteUrl),
        }),
        small: 'At most one of these an hour.',
      }),
    }
  },
})

const summarySchema = z.object({ summary: z.string() })

/** Stands for the emails of a kind and an hour that didn't go out one by one. */
const summaryMail = ({ config, mails, contributions }: Platform): MailTemplate => ({
  keptDays: 30,
  listsOthers: true,
  async render({ data }, brand) {
    const { summary } = summarySchema.parse(JSON.parse(data ?? '{}'))
    const { mails: rows, count } = mails.ofSummary(summary, maxMailsShown)
    const template = contributions().mailTemplates.get(summary.split('/', 1)[0]!)
    const shown = template ? await written(template, rows, brand) : []
    if (shown.length === 0) return { skip: 'nothing left to tell' }
    const [first] = shown
    return {
      to: mailbox(config.mail.staff),
      message: mailMessage(brand, {
        subject: `${count} more: ${first!.subject}${count > 1 ? ' …' : ''}`,
        headline: `${count} more ${count === 1 ? 'message' : 'messages'} like this in an hour`,
        body: paragraphs(
          'The first ones came individually. To keep your inbox usable, here’s the rest of the hour.',
        ),
        more: [
          ...shown.map(
            ({ subject, text, button }) =>
              html`${listHeading(subject)}
                <div style="word-break:break-word">${paragraphs(text)}</div>
                ${button ? html`<p style="margin:0 0 24px">${smallButton(button)}</p>` : null}`,
          ),
          ...(count > shown.length ? paragraphs(`… and ${count - shown.length} more.`) : []),
        ],
      }),
    }
  },
})

/** Emails as their own template writes them now, without those that there is no reason to send any more. */
async function written(
  { render }: MailTemplate,
  rows: readonly Mail[],
  brand: Brand,
): Promise<Pick<Message, 'subject' | 'text' | 'button'>[]> {
  const all = await Promise.all(rows.map(async (row) => render(row, brand)))
  return all.flatMap((rendered) => {
    if ('skip' in rendered) return []
    const { subject, button } = rendered.message
    const text = ownText(rendered.message, brand)
    const shown = text.length > maxTextShown ? `${text.slice(0, maxTextShown)}…` : text
    return [{ subject, text: shown, ...(button && { button }) }]
  })
}

/** The text of an email without what every email has, and without the address that its button opens. */
const ownText = ({ text, button }: Pick<Message, 'text' | 'button'>, brand: Brand): string =>
  text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== brand.name && part !== (brand.imprint || brand.name))
    .filter((part) => button === undefined || !part.includes(button.url))
    // A reply to the summary reaches none of them.
    .map((part) => part.replace(/^Reply to this email [^.]*\. */, ''))
    .filter(Boolean)
    .join('\n\n')
