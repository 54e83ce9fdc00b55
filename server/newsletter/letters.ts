import { newsletterPaths, newsletterPolicy } from '#shared/newsletter.ts'
import type { Config } from '../config.ts'
import { html } from '../markup.ts'
import type { Writer } from '../mail/compose.ts'
import { letter, type Brand, type Message } from '../mail/messages.ts'
import { issueMessage } from './issue-letter.ts'
import type { Issues } from './issues.ts'
import type { Subscribers } from './store.ts'
import type { ConfirmationTokens } from './tokens.ts'

/** What a queued confirmation remembers. */
export type ConfirmData = { subscriber: number; from: number }

/** What a queued issue remembers: whom it is for, or the address that only tries it. */
export type IssueData = { slug: string; subscriber: number } | { slug: string; test: string }

/** The writers of the newsletter's mails, for the composer. */
export type NewsletterWriters = Record<'newsletterConfirm' | 'newsletterIssue', Writer>

/** Makes the writers. Who has left by the moment of sending gets nothing. */
export function createNewsletterWriters({
  subscribers,
  issues,
  tokens,
  config,
  mailbox,
}: {
  subscribers: Subscribers
  issues: Issues
  tokens: ConfirmationTokens
  config: Pick<Config, 'siteUrl'>
  /** Where unsubscribing by mail goes. */
  mailbox: string
}): NewsletterWriters {
  return {
    newsletterConfirm({ data }, who) {
      const { subscriber: id, from } = JSON.parse(data!) as ConfirmData
      const subscriber = subscribers.findId(id)
      if (!subscriber) return { skip: 'the address is gone' }
      if (subscriber.status === 'subscribed') return { skip: 'already subscribed' }
      if (subscriber.status === 'blocked') return { skip: 'the address is blocked' }
      const url = config.siteUrl + newsletterPaths.confirm(tokens.issue(subscriber, from))
      return { to: { name: '', address: subscriber.email }, message: confirmMessage(url, who) }
    },

    newsletterIssue({ data }, who) {
      const order = JSON.parse(data!) as IssueData
      const issue = issues.find(order.slug)
      if (!issue) return { skip: 'the issue is gone' }
      if ('test' in order) {
        const message = issueMessage(issue, who, { leave: config.siteUrl + newsletterPaths.form() })
        const subject = `[Test] ${message.subject}`
        return { to: { name: '', address: order.test }, message: { ...message, subject } }
      }
      const subscriber = subscribers.findId(order.subscriber)
      if (subscriber?.status !== 'subscribed') return { skip: 'no longer subscribed' }
      const { email, name, leaveToken } = subscriber
      const leave = config.siteUrl + newsletterPaths.leave(leaveToken)
      const byMail = `mailto:${mailbox}?subject=${encodeURIComponent(`unsubscribe ${leaveToken}`)}`
      const message = issueMessage(issue, who, { leave })
      return {
        to: { name, address: email },
        message: {
          ...message,
          headers: {
            'List-Id': `<newsletter.${new URL(config.siteUrl).hostname}>`,
            'List-Unsubscribe': `<${leave}>, <${byMail}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            Precedence: 'bulk',
          },
        },
      }
    },
  }
}

/**
 * The mail that asks whether the address wants the newsletter. It repeats nothing that anybody
 * wrote, since whoever asked may not own the address.
 */
function confirmMessage(url: string, { name }: Brand): Message {
  const subject = `Confirm your subscription to ${name}`
  const why = `Somebody, we hope you, entered this address for the newsletter of ${name}. Open the link and press the button to confirm.`
  const stranger =
    'If it was not you, do nothing: without your confirmation you will not hear from us again.'
  return {
    subject,
    text: `Hello,\n\n${why}\n\n${url}\n\nThe link works for seven days. ${newsletterPolicy.text}\n\n${stranger}\n\n${name}\n`,
    html: letter(
      subject,
      html`<p>Hello,</p>
        <p>${why}</p>
        <p>
          <a
            href="${url}"
            style="display:inline-block;padding:14px 22px;background:#ff4d23;color:#12151a;font-weight:700;text-decoration:none"
            >Confirm my subscription</a
          >
        </p>
        <p style="font-size:13px;word-break:break-all">${url}</p>
        <p>The link works for seven days. ${newsletterPolicy.text}</p>
        <p>${name}</p>
        <p style="color:#5c6066;font-size:13px">${stranger}</p>`,
    ),
  }
}
