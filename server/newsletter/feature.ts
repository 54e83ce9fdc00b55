import { newsletterPaths } from '#shared/newsletter.ts'
import type { Feature, Platform } from '../feature.ts'
import { mailbox } from '../mail/message.ts'
import { newsletterMails } from './mails.ts'
import { createIssues, type Issues } from './issues.ts'
import { newsletterData } from './personal-data.ts'
import { newsletterRoutes } from './routes.ts'
import { createSubscribers, type Subscribers } from './store.ts'
import { createConfirmationTokens, type ConfirmationTokens } from './tokens.ts'

/** The mailing list (docs/contract.md, Newsletter). */
export type NewsletterFeature = Feature & {
  readonly subscribers: Subscribers
  readonly issues: Issues
  /** The links of confirmation mails. */
  readonly confirmationTokens: ConfirmationTokens
}

/** Makes the feature. */
export function newsletterFeature(platform: Platform): NewsletterFeature {
  const { config, db, clock, keys } = platform
  const subscribers = createSubscribers(db, { clock })
  const issues = createIssues(db, { clock })
  const confirmationTokens = createConfirmationTokens({ keys, clock })
  return {
    name: 'newsletter',
    subscribers,
    issues,
    confirmationTokens,
    routes: (http) => newsletterRoutes(platform, http, { subscribers, confirmationTokens }),
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
    reservedPaths: ['subscription'],
    disallowedPaths: ['/subscription/'],
    privatePaths: [
      newsletterPaths.confirm(''),
      newsletterPaths.again(''),
      newsletterPaths.leave(''),
    ],
  }
}
