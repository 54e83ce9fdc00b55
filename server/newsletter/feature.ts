import type { Feature, Platform } from '../feature.ts'
import { mailbox } from '../mail/message.ts'
import { newsletterMails } from './mails.ts'
import type { Newsletter } from './newsletter.ts'
import { newsletterData } from './personal-data.ts'

/** The mailing list: its mails, and what is forgotten when. */
export function newsletterFeature(
  { config }: Platform,
  { subscribers, issues, confirmationTokens }: Newsletter,
): Feature {
  return {
    name: 'newsletter',
    mailTemplates: newsletterMails({
      subscribers,
      issues,
      tokens: confirmationTokens,
      config,
      mailbox: mailbox(config.mail.staff).address,
    }),
    jobs: [
      {
        kind: 'newsletter.forget',
        about: 'forgets networks, addresses that never confirmed and old limits',
        recurs: { daily: '08:00' },
        run: () => subscribers.forgetOld(),
      },
    ],
    origins: { form: config.newsletter.url ? [new URL(config.newsletter.url).origin] : [] },
    personalData: [newsletterData(subscribers)],
  }
}
