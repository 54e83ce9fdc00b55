import type { Config } from '../config.ts'
import { newsletterPaths, newsletterPolicy } from '#shared/newsletter.ts'
import { plainName } from '#shared/text/text.ts'
import { mailMessage } from '../mail/layout.ts'
import type { Brand, Message } from '../mail/message.ts'
import type { MailTemplate } from '../mail/template.ts'
import { html } from '../text/markup.ts'
import { siteAct, type Timeline } from '../timeline/timeline.ts'
import type { Issues } from './issues.ts'
import type { Issue } from './schema.ts'
import type { Subscribers } from './store.ts'
import { leavingSubject, type ConfirmationTokens } from './tokens.ts'

/** What a queued confirmation remembers. */
export type ConfirmData = { subscriber: number; from: number }

/** What a queued issue remembers: whom it is for, or the address that only tries it. */
export type IssueData = { slug: string; subscriber: number } | { slug: string; test: string }

/** Issues in a row that have to come back before an address is taken off the list: a full mailbox may be emptied. */
const returnsInARow = 2

/** Days for which it is known who got an issue, so it is not sent to them twice. */
export const issueDays = 730

/**
 * The emails of the newsletter. Who has left by the moment of sending gets nothing.
 * @param mailbox where unsubscribing by email goes
 */
export function newsletterMails({
  subscribers,
  issues,
  tokens,
  config,
  mailbox,
  timeline,
}: {
  subscribers: Subscribers
  issues: Issues
  tokens: ConfirmationTokens
  config: Pick<Config, 'siteUrl'>
  mailbox: string
  timeline: Pick<Timeline, 'record'>
}): Record<'newsletterConfirm' | 'newsletterIssue', MailTemplate> {
  return {
    newsletterConfirm: {
      keptDays: 30,
      render({ data }, brand) {
        const { subscriber: id, from } = JSON.parse(data!) as ConfirmData
        const subscriber = subscribers.findId(id)
        if (!subscriber) return { skip: 'the address is gone' }
        if (subscriber.status === 'subscribed') return { skip: 'already subscribed' }
        if (subscriber.status === 'blocked') return { skip: 'the address is blocked' }
        const url = config.siteUrl + newsletterPaths.confirm(tokens.issue(subscriber, from))
        return { to: { name: '', address: subscriber.email }, message: confirmMessage(url, brand) }
      },
    },

    newsletterIssue: {
      keptDays: issueDays,
      keptLonger: 'newsletters for two years',
      render({ data }, brand) {
        const order = JSON.parse(data!) as IssueData
        const issue = issues.find(order.slug, { isTrial: 'test' in order })
        if (!issue) return { skip: 'the issue is gone' }
        if ('test' in order) {
          const message = issueMessage(issue, brand, config.siteUrl + newsletterPaths.form())
          const subject = `[Test] ${message.subject}`
          return { to: { name: '', address: order.test }, message: { ...message, subject } }
        }
        const subscriber = subscribers.findId(order.subscriber)
        if (subscriber?.status !== 'subscribed') return { skip: 'no longer subscribed' }
        const { email, name, leaveToken } = subscriber
        const leave = config.siteUrl + newsletterPaths.leave(leaveToken)
        const byMail = `mailto:${mailbox}?subject=${encodeURIComponent(leavingSubject(leaveToken))}`
        return {
          to: { name: plainName(name) ?? '', address: email },
          message: {
            ...issueMessage(issue, brand, leave),
            headers: {
              'List-Id': `<newsletter.${new URL(config.siteUrl).hostname}>`,
              'List-Unsubscribe': `<${leave}>, <${byMail}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              Precedence: 'bulk',
            },
          },
        }
      },
      undeliverable(tx, { data }, reply) {
        const order = JSON.parse(data!) as IssueData
        const subscriber = 'subscriber' in order ? subscribers.findId(order.subscriber) : null
        if (subscriber?.status !== 'subscribed') return
        const last = issues.last(subscriber.id, returnsInARow)
        if (last.length < returnsInARow || last.includes('sent')) return
        subscribers.leave(tx, subscriber, 'removed', `${returnsInARow} issues came back: ${reply}`)
        const note = `subscriber ${subscriber.id}`
        timeline.record(tx, siteAct('newsletter', { actor: 'mail server', act: 'removed', note }))
      },
    },
  }
}

/**
 * The email that asks whether the address wants the newsletter. It repeats nothing that anyone
 * wrote, since the visitor may not own the address.
 */
function confirmMessage(url: string, brand: Brand): Message {
  return mailMessage(brand, {
    subject: `Confirm your subscription to ${brand.name}`,
    preheader: 'One click and you’re in.',
    headline: 'Confirm your subscription',
    body: html`<p style="margin:0 0 16px">Hello,</p>
      <p style="margin:0 0 16px">
        Someone (hopefully you) signed this address up for the ${brand.name} newsletter. Confirm
        below.
      </p>`,
    button: { label: 'Confirm my subscription', url },
    more: html`<p style="margin:0 0 16px">
      The link works for seven days. ${newsletterPolicy.text}
    </p>`,
    small: 'Not you? Ignore this email and you won’t hear from us again.',
  })
}

/**
 * An issue as an email to one person.
 * @param leave the address that ends this person's subscription
 */
function issueMessage(issue: Issue, brand: Brand, leave: string): Message {
  const { title, excerpt, url, picture, imprint } = issue
  return {
    ...mailMessage(
      { ...brand, imprint },
      {
        subject: title,
        preheader: excerpt,
        headline: title,
        body: [
          ...(picture
            ? [
                html`<p style="margin:0 0 24px">
                  <a href="${url}"
                    ><img
                      src="${picture.src}"
                      alt="${picture.alt}"
                      width="536"
                      style="display:block;width:100%;height:auto;border:0"
                  /></a>
                </p>`,
              ]
            : []),
          { markup: issue.html },
        ],
        button: { label: 'Read on the website', url },
        small: html`You’re receiving this because you subscribed to the ${brand.name} newsletter.
          <a class="soft" href="${leave}" style="color:inherit">Unsubscribe</a>`,
      },
    ),
    ...(brand.email && { replyTo: { name: brand.name, address: brand.email } }),
  }
}
