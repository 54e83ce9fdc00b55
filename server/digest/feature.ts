import { helsinki } from '#shared/helsinki-time.ts'
import type { DigestLine, Feature, Platform } from '../feature.ts'
import { mailMessage } from '../mail/layout.ts'
import { mailbox } from '../mail/message.ts'

/** What a queued digest remembers. */
type DigestData = { lines: readonly DigestLine[] }

/** The daily email to staff about what waits for them; on days with nothing there is none. */
export function digestFeature({ config, clock, commit, mails, contributions }: Platform): Feature {
  const inbox = mailbox(config.mail.staff)
  return {
    name: 'digest',
    mailTemplates: {
      staffDigest: {
        keptDays: 30,
        render({ data }, brand) {
          const { lines = [] } = JSON.parse(data ?? '{}') as Partial<DigestData>
          const message = mailMessage(brand, {
            subject: 'Website: messages are waiting for you',
            headline: 'Waiting for you',
            details: lines.map(({ count, what, command }) => [`${count} ${what}`, command]),
            small: 'Sent once a day, only when something’s waiting.',
          })
          return { to: inbox, message }
        },
      },
    },
    jobs: [
      {
        kind: 'digest.send',
        about: 'emails staff what’s waiting for them',
        waitsForTrustedClock: false,
        recurs: { daily: '08:00' },
        run: () =>
          commit((tx) => {
            const data: DigestData = { lines: contributions().digest() }
            const key = `digest-${helsinki(clock()).date}`
            if (data.lines.length > 0) mails.enqueue(tx, 'staffDigest', { key, data })
          }),
      },
    ],
  }
}
