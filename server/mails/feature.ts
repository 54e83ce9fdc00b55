import { dayMs } from '#shared/durations.ts'
import { helsinkiIso } from '#shared/helsinki-time.ts'
import type { Feature, Platform } from '../feature.ts'
import { fileName } from '../mail/compose.ts'
import { inBatches } from '../db/in-batches.ts'
import { eraseMails } from '../mail/erase.ts'
import { forgetMailFiles } from '../mail/mail-files.ts'
import type { Mail } from '../mail/mail.ts'

/** Days for which the row of a settled mail is kept where its template says nothing else. */
const usualDays = 90

/** Mails that were sent: forgetting them, finding them by address, telling which failed. */
export function mailFeature({ config, clock, commit, mails, contributions }: Platform): Feature {
  const forget = async () => {
    for (const kind of mails.settledKinds()) {
      const { keptDays = usualDays } = contributions().mailTemplates.get(kind) ?? {}
      if (keptDays === 'feature') continue
      await inBatches(commit, (tx) => mails.forgetSettled(tx, kind, clock() - keptDays * dayMs))
    }
    const known = new Set(mails.list().map((mail) => `${fileName(mail)}.eml`))
    await forgetMailFiles(config.dataDir, { before: clock() - dayMs, keep: known })
  }

  const keptFor = () => {
    const longer = Array.from(contributions().mailTemplates.values(), (each) => each.keptLonger)
    const usual = `others for ${usualDays} days`
    const periods = [usual, ...new Set(longer.filter((each) => each !== undefined))]
    return `As long as the message that they belong to; ${periods.join(', ')}`
  }

  return {
    name: 'mails',
    jobs: [
      {
        kind: 'mail.forget',
        about: 'forgets mails that were sent long ago, with their files',
        recurs: { daily: '08:00' },
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
              what: 'E-mails that we send you',
              data: 'Your address, the kind of the mail, when it was sent, and what the mail server answered',
              ground: 'The same as for what the mail is about',
              kept: keptFor(),
            },
          ]
        },
        forgottenBy: { job: 'mail.forget' },
        find: (email) => mails.about(email).map(told),
        erase: (tx, email) =>
          eraseMails(tx, mails.about(email), { mails, dataDir: config.dataDir }),
      },
    ],
    digest: () => [
      {
        count: mails.counts().failed,
        what: 'mails that could not be delivered',
        command: 'pitlane mail list --failed',
      },
    ],
  }
}

const told = ({ id, kind, status, queuedAt, settledAt, lastReply, data }: Mail) => ({
  id,
  kind,
  status,
  queuedAt: helsinkiIso(queuedAt),
  settledAt: settledAt === null ? null : helsinkiIso(settledAt),
  lastReply,
  content: JSON.parse(data ?? 'null') as unknown,
})
