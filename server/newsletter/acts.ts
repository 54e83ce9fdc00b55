import { dayMs, minuteMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { helsinki } from '#shared/dates/helsinki-time.ts'
import {
  isMailable,
  newsletterLimits,
  subscriberStatuses,
  typedAddress,
  type SubscriberStatus,
} from '#shared/newsletter.ts'
import type { Platform } from '../feature.ts'
import { siteAct } from '../timeline/timeline.ts'
import { decodedText } from '../text/decoded-text.ts'
import { textOfMail } from '../text/mail-text.ts'
import { articleCalled, issueOf, keyOfIssue, type Issues } from './issues.ts'
import { issueDays, type IssueData } from './mails.ts'
import type { Issue, Subscriber } from './schema.ts'
import type { Subscribers } from './store.ts'

/** Emails queued in one transaction, so the server's own writes get their turn. */
const batchSize = 200

/** One address of a list from elsewhere, as it is there. */
export type ImportedPerson = { line: number; email: string; name: string; status: string }

/** What an import did; `wrong` says what is wrong with which line. */
export type ImportReport = {
  added: number
  changed: number
  kept: number
  wrong: readonly string[]
  /** False when something was wrong, and nothing was imported for that. */
  isDone: boolean
}

/** What became of an issue's emails. */
export type IssueOutcome = {
  deliveries: { waiting: number; sent: number; failed: number; dropped: number }
  failed: readonly { email: string | null; reply: string | null }[]
}

/** What staff do with the list and its issues. */
export type NewsletterActs = ReturnType<typeof createNewsletterActs>

/** Takes back what a rehearsal has done. */
class Rehearsed extends Error {}

/** Who did what to an address is in its history, with the proof of consent. */
export function createNewsletterActs(
  { commit, clock, config, content, mails, outbox, timeline }: Platform,
  { subscribers, issues }: { subscribers: Subscribers; issues: Issues },
) {
  const queueFor = (issue: Issue, people: readonly Subscriber[], dueAt: (n: number) => number) =>
    commit((tx) => {
      let queued = 0
      for (const { id } of people) {
        const isNew = mails.enqueue(tx, 'newsletterIssue', {
          key: keyOfIssue(issue.slug, id),
          about: { thing: 'issue', id: issue.slug },
          data: { slug: issue.slug, subscriber: id } satisfies IssueData,
          dueAt: dueAt(queued),
          isBulk: true,
        })
        if (isNew) queued += 1
      }
      return queued
    })

  /**
   * What goes out when an article is sent: what went out before, under whichever of its slugs, else the
   * article as it is.
   */
  async function issueToSend(called: string): Promise<{ issue: Issue; sentAt: number | null }> {
    const { article, slugs } = await articleCalled(called, content)
    const slug = slugs.find((each) => issues.keptAt(each) !== null)
    if (slug === undefined) {
      return { issue: await issueOf(article, content, config.siteUrl), sentAt: null }
    }
    const sentAt = issues.keptAt(slug)!
    if (sentAt < clock() - issueDays * dayMs) {
      throw failure('wrong-state', {
        message: `This article was sent on ${helsinki(sentAt).date}. Its recipients are recorded for ${issueDays} days only, so it can’t be sent again.`,
      })
    }
    return { issue: issues.find(slug)!, sentAt }
  }

  return {
    /**
     * An article as it would go out, to how many who don't have it yet, when it was first sent, and its
     * words.
     * @throws missing when there is none; wrong-state when its emails may have been forgotten
     */
    async preview(
      called: string,
    ): Promise<{ issue: Issue; count: number; sentAt: number | null; text: string }> {
      const { issue, sentAt } = await issueToSend(called)
      return { issue, sentAt, count: issues.missing(issue.slug), text: textOfMail(issue.html) }
    },

    /**
     * Queues one copy of an article, to try it.
     * @throws invalid for an address that is none; missing when there is no such article
     */
    async sendTrial(slug: string, test: string): Promise<void> {
      if (!isMailable(test))
        throw failure('invalid', { message: `${test} is not an email address.` })
      const { article } = await articleCalled(slug, content)
      const issue = await issueOf(article, content, config.siteUrl)
      await commit((tx) => {
        issues.keepTrial(tx, issue)
        const data: IssueData = { slug: issue.slug, test }
        mails.enqueue(tx, 'newsletterIssue', { key: `trial/${issue.slug}:${clock()}`, data })
      })
      outbox.wake()
    },

    /**
     * Queues an article for all subscribers, spread over time. Each email is known by issue and
     * subscriber, so going on after a crash queues none twice, and neither does another slug.
     * @param perMinute how many emails are due in a minute
     * @param by who sends it, for the timeline
     * @returns how many were queued, and the slug by which the issue is known
     * @throws missing when there is no such article; wrong-state when its emails may have been forgotten
     */
    async send(
      called: string,
      perMinute: number,
      by: string,
    ): Promise<{ queued: number; slug: string }> {
      const { issue } = await issueToSend(called)
      const { slug } = issue
      await commit((tx) => {
        issues.keep(tx, issue)
        timeline.record(tx, { thing: 'issue', thingId: slug, actor: by, act: 'sent' })
      })
      const start = clock()
      let queued = 0
      for (let after = 0; ;) {
        const people = subscribers.recipients(after, batchSize)
        if (people.length === 0) break
        const before = queued
        queued += await queueFor(
          issue,
          people,
          (n) => start + Math.floor((before + n) / perMinute) * minuteMs,
        )
        after = people.at(-1)!.id
      }
      outbox.wake()
      return { queued, slug }
    },

    /**
     * The slug by which an article's issue is known, when the article has another one now.
     * @throws missing when it was not sent
     */
    async issueCalled(slug: string): Promise<string> {
      if (issues.find(slug)) return slug
      const { slugs } = await articleCalled(slug, content).catch(() => ({
        slugs: [] as readonly string[],
      }))
      const sent = slugs.find((each) => issues.find(each) !== null)
      if (sent === undefined) throw failure('missing', { message: `No issue sent: ${slug}` })
      return sent
    },

    /** What became of an issue's emails. @throws missing when it was not sent */
    outcome(slug: string): IssueOutcome {
      if (!issues.find(slug)) throw failure('missing', { message: `No issue sent: ${slug}` })
      const found = new Map(issues.deliveries(slug).map(({ status, count }) => [status, count]))
      return {
        deliveries: {
          waiting: (found.get('queued') ?? 0) + (found.get('sending') ?? 0),
          sent: found.get('sent') ?? 0,
          failed: found.get('failed') ?? 0,
          dropped: found.get('dropped') ?? 0,
        },
        failed: issues.failures(slug),
      }
    },

    /** The text of a list as office programs write it. */
    textOf: decodedText,

    /**
     * Takes over addresses from elsewhere, all in one transaction. Who left or was blocked here stays so.
     * @param consent how these people consented; kept with each of them
     * @param options `by` is who does it, for the timeline; `skipInvalid` imports the rest where lines
     *   are wrong, instead of nothing; `rehearse` changes nothing and counts alike
     * @throws invalid without a consent
     */
    async import(
      people: readonly ImportedPerson[],
      consent: string,
      {
        by,
        skipInvalid = false,
        rehearse = false,
      }: { by: string; skipInvalid?: boolean; rehearse?: boolean },
    ): Promise<ImportReport> {
      if (!consent.trim())
        throw failure('invalid', { message: 'State how these people consented.' })
      const checked = people
        .map((person) => ({ ...person, email: typedAddress(person.email) }))
        .map((person) => ({ person, problem: problemOf(person) }))
      const wrong = checked.flatMap(({ problem }) => problem ?? [])
      const counts = { added: 0, changed: 0, kept: 0 }
      if (wrong.length > 0 && !skipInvalid) return { ...counts, wrong, isDone: false }
      const importing = commit((tx) => {
        for (const { person, problem } of checked) {
          if (problem !== null) continue
          const status = statusOf(person)!
          counts[subscribers.import(tx, { ...person, status }, consent)] += 1
        }
        const { added, changed } = counts
        const note = `${added} added, ${changed} changed: ${consent}`
        timeline.record(tx, siteAct('newsletter', { actor: by, act: 'imported', note }))
        if (rehearse) throw new Rehearsed()
      })
      await importing.catch((error: unknown) => {
        if (!(error instanceof Rehearsed)) throw error
      })
      return { ...counts, wrong, isDone: true }
    },

    /**
     * Takes an address off the list, so it may ask again; or blocks it for good; or erases it.
     * @param by who does it; the timeline names the number of the subscriber, not the address
     */
    remove: (
      subscriber: Subscriber,
      how: 'removed' | 'blocked' | 'erased',
      by: string,
    ): Promise<void> =>
      commit((tx) => {
        const act = { actor: by, act: how, note: `subscriber ${subscriber.id}` }
        timeline.record(tx, siteAct('newsletter', act))
        if (how === 'erased') subscribers.erase(tx, subscriber.email)
        else subscribers.leave(tx, subscriber, how)
      }),
  }
}

/** The status that a line names; who has none is subscribed. Null for a word that is none. */
const statusOf = ({ status }: ImportedPerson): SubscriberStatus | null =>
  subscriberStatuses.find((known) => known === (status || 'subscribed')) ?? null

/** What is wrong with a line, or null. */
function problemOf(person: ImportedPerson): string | null {
  const { line, email, name, status } = person
  if (!isMailable(email)) return `Line ${line}: “${email}” is not an email address.`
  if (name.length > newsletterLimits.name) return `Line ${line}: the name is too long.`
  return statusOf(person)
    ? null
    : `Line ${line}: “${status}” is not a status: use ${knownStatuses}, or leave it empty.`
}

const knownStatuses = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  subscriberStatuses,
)
