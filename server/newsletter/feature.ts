import { newsletterPaths } from '#shared/newsletter.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Feature, Platform } from '../feature.ts'
import { mailbox } from '../mail/message.ts'
import { createNewsletterActs, type NewsletterActs } from './acts.ts'
import { subscriberDesk } from './desk.ts'
import { newsletterMails } from './mails.ts'
import { createIssues, type Issues } from './issues.ts'
import { createSubscribers, type Subscribers } from './store.ts'
import { createConfirmationTokens, type ConfirmationTokens } from './tokens.ts'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import type { PersonalData } from '../contributions/personal-data.ts'

/** The mailing list (docs/contract.md, Newsletter). */
export type NewsletterFeature = Feature & {
  readonly subscribers: Subscribers
  readonly issues: Issues
  /** What staff do with the list and its issues. */
  readonly acts: NewsletterActs
  /** The links of confirmation emails. */
  readonly confirmationTokens: ConfirmationTokens
  /**
   * Unsubscribes whom the subject of an email names, as mail programs write it. Call inside a
   * transaction.
   * @returns whether it names someone
   */
  readonly leaveByEmail: (tx: Transaction, subject: string) => boolean
}

export function newsletterFeature(platform: Platform): NewsletterFeature {
  const { config, db, clock, keys, log, timeline } = platform
  const subscribers = createSubscribers(db, { clock })
  const issues = createIssues(db, { clock })
  const confirmationTokens = createConfirmationTokens({ keys, clock })
  return {
    name: 'newsletter',
    subscribers,
    issues,
    acts: createNewsletterActs(platform, { subscribers, issues }),
    confirmationTokens,
    leaveByEmail(tx, subject) {
      const subscriber = subscribers.ofSubject(subject)
      if (!subscriber) return false
      subscribers.leave(tx, subscriber)
      log.info({ subscriber: subscriber.id }, 'newsletter unsubscribed by email')
      return true
    },
    async routes(http) {
      const { newsletterRoutes } = await import('./routes.ts')
      newsletterRoutes(platform, http, { subscribers, confirmationTokens })
    },
    mailTemplates: newsletterMails({
      subscribers,
      issues,
      tokens: confirmationTokens,
      config,
      mailbox: mailbox(config.mail.staff).address,
      timeline,
    }),
    signs: [
      {
        kind: 'newsletter',
        what: 'links that confirm a newsletter subscription; unsubscribe links keep working',
        purposes: ['newsletter-confirm'],
      },
    ],
    jobs: [
      {
        kind: 'newsletter.forget',
        about: 'deletes network hashes, unconfirmed addresses and old limits',
        recurs: { daily: '03:30' },
        run: () => subscribers.forgetOld(),
      },
    ],
    origins: { form: config.newsletter.url ? [new URL(config.newsletter.url).origin] : [] },
    desk: subscriberDesk(subscribers),
    personalData: [newsletterData(subscribers, config.newsletter.url === null)],
    reservedPaths: ['subscription'],
    disallowedPaths: ['/subscription/'],
    privatePaths: [
      newsletterPaths.confirm(''),
      newsletterPaths.again(''),
      newsletterPaths.leave(''),
    ],
  }
}

const policy: PersonalData['policy'] = [
  {
    what: 'Newsletter',
    data: 'Email address, and your name if you gave it; as proof of your consent, its time and wording, the page you signed up on, and a keyed hash of your network',
    ground: 'Your consent (Art. 6(1)(a)), given by confirming a link we email you',
    kept: 'Until you unsubscribe or your address takes no email for two issues in a row, and after that the fact that you’re off the list; the hash, and an address never confirmed, for 30 days',
  },
]

/**
 * What the newsletter keeps of people.
 * @param isOwn whether our own list takes subscribers; one without any says nothing where another's does
 */
const newsletterData = (subscribers: Subscribers, isOwn: boolean): PersonalData => ({
  name: 'newsletter',
  policy: isOwn || subscribers.addresses().length > 0 ? policy : [],
  forgottenBy: { job: 'newsletter.forget' },
  addresses: subscribers.addresses,
  find(email) {
    const subscriber = subscribers.find(email)
    if (!subscriber) return []
    const { leaveToken: _, secret: _s, round: __, id, createdAt, since, ...facts } = subscriber
    const history = subscribers
      .history(id)
      .map(({ at, ...event }) => ({ at: helsinkiIso(at), ...event }))
    return [{ ...facts, createdAt: helsinkiIso(createdAt), since: helsinkiIso(since), history }]
  },
  erase: (tx, email) => ({ erased: subscribers.erase(tx, email) ? 1 : 0 }),
})
