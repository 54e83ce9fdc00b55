import { setImmediate } from 'node:timers/promises'
import { dayMs, hourMs, minuteMs } from '#shared/dates/durations.ts'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import type { Feature, Platform } from '../feature.ts'
import { fileName } from '../mail/compose.ts'
import { batchSize, inBatches } from '../db/in-batches.ts'
import { eraseMails, removeMailFiles } from '../mail/erase.ts'
import { forgetMailFiles } from '../mail/transport.ts'
import type { Mail } from '../mail/schema.ts'
import { createMailActs, type MailActs } from './acts.ts'
import { mailDesk } from './desk.ts'
import { stuckAfter } from '../mail/outbox.ts'

/** Days for which the row of a settled email is kept where its template says nothing else. */
const defaultDays = 90

/** The feature, with what staff do with emails. */
export type MailFeature = Feature & { readonly acts: MailActs }

/** Emails that were sent: forgetting them, finding them by address, telling which failed. */
export function mailFeature(platform: Platform): MailFeature {
  const { config, clock, commit, log, mails, outbox, contributions } = platform
  const acts = createMailActs(platform)

  const forget = async () => {
    for (const kind of mails.settledKinds()) {
      const { keptDays = defaultDays } = contributions().mailTemplates.get(kind) ?? {}
      if (keptDays === 'feature') continue
      await inBatches(commit, (tx) => mails.forgetSettled(tx, kind, clock() - keptDays * dayMs))
    }
    const known = new Set<string>()
    for (let after = 0; ;) {
      const traces = mails.listAfter(after)
      for (const mail of traces) known.add(`${fileName(mail)}.eml`)
      if (traces.length < batchSize) break
      after = traces.at(-1)!.id
      await setImmediate()
    }
    await forgetMailFiles(config.dataDir, { before: clock() - dayMs, keep: known })
  }

  let loggedAt = Number.NEGATIVE_INFINITY
  const watch = () => {
    const ms = outbox.stuckFor()
    if (ms <= stuckAfter) loggedAt = Number.NEGATIVE_INFINITY
    else if (Math.abs(clock() - loggedAt) >= hourMs) {
      loggedAt = clock()
      const minutes = Math.floor(ms / minuteMs)
      log.error({ minutes }, 'email is not going out: check SMTP_URL and the mail server')
    }
  }

  /** The kinds of emails that may name anyone, such as staff's list of what waits. */
  const listing = () =>
    [...contributions().mailTemplates].flatMap(([kind, { listsOthers }]) =>
      listsOthers ? [kind] : [],
    )

  const keptFor = () => {
    const longer = Array.from(contributions().mailTemplates.values(), (each) => each.keptLonger)
    const usual = `others for ${defaultDays} days`
    const periods = [usual, ...new Set(longer.filter((each) => each !== undefined))]
    return `As long as the message they are about; ${periods.join(', ')}`
  }

  /**
   * Whether an email has an address alone because staff get their notices there. A command may know
   * another STAFF_EMAIL than the server, so what was sent says which one it is.
   */
  const isNotice = ({ toStaff, recipient, data }: Mail, email: string): boolean => {
    const folded = email.toLowerCase()
    return (
      toStaff &&
      recipient?.toLowerCase() === folded &&
      mails.staffAddress()?.toLowerCase() === folded &&
      !data?.toLowerCase().includes(JSON.stringify(folded))
    )
  }

  return {
    name: 'mails',
    acts,
    jobs: [
      {
        kind: 'mail.watch',
        about: 'logs an error when email has been stuck for ten minutes',
        waitsForTrustedClock: false,
        recurs: { everyMinutes: 1 },
        run: watch,
      },
      {
        kind: 'mail.forget',
        about: 'deletes old emails and their attachments',
        recurs: { daily: '03:30' },
        run: forget,
      },
    ],
    personalData: [
      {
        name: 'mails',
        // Asked for when there are all templates.
        get policy() {
          return [
            {
              what: 'Emails we send you',
              data: 'Your address, the kind of email, when it was sent, and the mail server’s response',
              ground: 'The same as for what the email is about',
              kept: keptFor(),
            },
          ]
        },
        forgottenBy: { job: 'mail.forget' },
        find: (email) => mails.withAddress(email).map(mailFacts),
        erase(tx, email) {
          const { dataDir } = config
          const found = mails.withAddress(email)
          const notices = found.filter((mail) => isNotice(mail, email))
          const gone = found.filter((mail) => !notices.includes(mail))
          const own = eraseMails(tx, gone, { mails, dataDir })
          return {
            erased: own.erased,
            ...(notices.length > 0 && {
              kept: {
                count: notices.length,
                why: 'Staff get their notices at this address. They’re about other people, and go with what they’re about.',
                until: null,
              },
            }),
            async afterwards() {
              await own.afterwards()
              await removeMailFiles(mails.ofKinds(listing()), dataDir)
            },
          }
        },
      },
    ],
    desk: mailDesk(mails, acts, clock),
    digest: () => [
      {
        count: mails.counts().failed,
        what: 'undelivered emails',
        command: 'pitlane mail list --failed',
        group: 'Emails that failed',
      },
    ],
  }
}

const mailFacts = ({ id, kind, status, queuedAt, settledAt, lastReply, data }: Mail) => ({
  id,
  kind,
  status,
  queuedAt: helsinkiIso(queuedAt),
  settledAt: settledAt === null ? null : helsinkiIso(settledAt),
  lastReply,
  content: JSON.parse(data ?? 'null') as unknown,
})
