import { failure } from '#shared/failures.ts'
import { assetUrl } from '#shared/images.ts'
import { paths } from '#shared/paths.ts'
import type { Row } from '../collections.ts'
import type { Content } from '../content/source.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { integer, nullable, query, text, textOf } from '../db/table.ts'
import type { MailStatus } from '../mail/schema.ts'
import { absoluteHtml } from '../text/markup.ts'
import { newsletterIssues, type Issue } from './schema.ts'

/** The issues that went out, or are about to; the only place with their SQL. */
export type Issues = ReturnType<typeof createIssues>

/** The key of an issue's email to a subscriber. */
export const keyOfIssue = (slug: string, subscriber: number | ''): string =>
  `issue/${slug}:${subscriber}`

/** Prepares the statements of the issues. */
export function createIssues(db: Database, { clock }: { clock: () => number }) {
  const insert = newsletterIssues.insert(db, 'ON CONFLICT DO NOTHING')
  const overwrite = newsletterIssues.insert(
    db,
    'ON CONFLICT DO UPDATE SET created_at = excluded.created_at, content = excluded.content',
  )
  const one = newsletterIssues.select(db, 'WHERE slug = :slug AND is_trial = :isTrial')
  const all = newsletterIssues.select(db, 'WHERE is_trial = 0 ORDER BY created_at')
  const deliveries = query(
    db,
    `SELECT status, count(*) AS count FROM mails
    WHERE thing = 'issue' AND thing_id = :slug GROUP BY status ORDER BY status`,
    { status: textOf<MailStatus>(), count: integer() },
  )
  const missing = query(
    db,
    `SELECT count(*) AS count FROM subscribers WHERE status = 'subscribed' AND NOT EXISTS (
      SELECT 1 FROM mails WHERE dedupe_key = :key || subscribers.id || ':newsletterIssue')`,
    { count: integer() },
  )
  const failures = query(
    db,
    `SELECT subscribers.email, mails.last_reply AS reply
    FROM mails LEFT JOIN subscribers
      ON subscribers.id = json_extract(mails.data, '$.subscriber')
    WHERE thing = 'issue' AND thing_id = :slug AND mails.status = 'failed' ORDER BY mails.id`,
    { email: nullable(text()), reply: nullable(text()) },
  )
  const last = query(
    db,
    `SELECT mails.status FROM newsletter_issues JOIN mails
      ON mails.dedupe_key = 'issue/' || slug || ':' || :subscriber || ':newsletterIssue'
    WHERE is_trial = 0 AND mails.status IN ('sent', 'failed') ORDER BY created_at DESC LIMIT :max`,
    { status: textOf<MailStatus>() },
  )
  const rowOf = (content: Issue, isTrial: boolean) => ({
    slug: content.slug,
    isTrial,
    createdAt: clock(),
    content,
  })
  const find = (slug: string, isTrial: boolean) => one.get({ slug, isTrial: isTrial ? 1 : 0 })

  return {
    /** Keeps an issue as it is sent; the first stays, so a second attempt sends the same. */
    keep: (tx: Transaction, issue: Issue): void => void insert(tx, rowOf(issue, false)),
    /** Keeps an issue for a trial email; the next trial has the article of its day. */
    keepTrial: (tx: Transaction, issue: Issue): void => void overwrite(tx, rowOf(issue, true)),
    /** What is sent: to everyone, or as a trial. */
    find: (slug: string, { isTrial = false } = {}): Issue | null =>
      find(slug, isTrial)?.content ?? null,
    /** When an issue was first sent, in milliseconds of the epoch, or null. */
    keptAt: (slug: string): number | null => find(slug, false)?.createdAt ?? null,
    /** What was sent, oldest first. */
    list: (): { slug: string; createdAt: number }[] =>
      all.all().map(({ slug, createdAt }) => ({ slug, createdAt })),
    /** How many of an issue's emails have a status. */
    deliveries: (slug: string) => deliveries.all({ slug }),
    /** How many subscribers have no email of an issue yet, sent or waiting. */
    missing: (slug: string): number => missing.get({ key: keyOfIssue(slug, '') })!.count,
    /** What became of the last issues to a subscriber, the newest first. */
    last: (subscriber: number, max: number): MailStatus[] =>
      last.all({ subscriber: String(subscriber), max }).map(({ status }) => status),
    /** Who did not get it, with the mail server's last word. */
    failures: (slug: string) => failures.all({ slug }),
  }
}

/**
 * Finds a published article by its slug, or by a former one that isn't another article's now.
 * @returns its row, and all slugs by which it may have been sent, the present one first
 * @throws failure `missing` when no visible article has the slug
 */
export async function articleCalled(
  slug: string,
  content: Content,
): Promise<{ article: Row<'news'>; slugs: readonly string[] }> {
  const rows = await content.rows('news')
  const present = new Set(rows.map((row) => row.slug))
  const formerOf = (row: Row<'news'>) => (row.old_slugs ?? []).filter((old) => !present.has(old))
  const article =
    rows.find((row) => row.slug === slug) ?? rows.find((row) => formerOf(row).includes(slug))
  if (!article) throw failure('missing', { message: `No published article is called ${slug}.` })
  return { article, slugs: [article.slug, ...formerOf(article)] }
}

/** Makes an issue of a published article. @throws failure `unavailable` while it cannot be read */
export async function issueOf(
  article: Row<'news'>,
  content: Content,
  siteUrl: string,
): Promise<Issue> {
  const { slug } = article
  const [body, picture, [settings]] = await Promise.all([
    content.text('news', article.id),
    content.picture(article.image),
    content.rows('settings'),
  ])
  const url = siteUrl + paths.article(slug)
  // Several mail programs know no WebP.
  const src = picture && assetUrl(picture.id, { width: 1200, format: 'jpg' })
  const html = await forMail(absoluteHtml(body ?? '', url))
  const place = [
    settings?.street,
    [settings?.postal_code, settings?.city].filter(Boolean).join(' '),
  ]
  return {
    slug,
    title: article.title,
    excerpt: article.excerpt ?? '',
    url,
    picture: src ? { src: new URL(src, siteUrl).href, alt: picture.alt } : null,
    html,
    imprint: [
      settings?.legal_name ?? settings?.brand,
      ...place,
      settings?.country,
      settings?.business_id && `Business ID ${settings.business_id}`,
    ]
      .filter(Boolean)
      .join(' · '),
  }
}

const styles: Readonly<Record<string, string>> = {
  h2: 'font-size:22px;line-height:1.25;margin:32px 0 12px',
  h3: 'font-size:18px;line-height:1.3;margin:28px 0 8px',
  p: 'margin:0 0 18px',
  ul: 'margin:0 0 18px;padding-left:22px',
  ol: 'margin:0 0 18px;padding-left:22px',
  li: 'margin:0 0 6px',
  a: 'color:#bb2a06',
  figure: 'margin:0 0 18px',
  figcaption: 'font-size:13px;color:#5c626b;margin-top:6px',
  blockquote: 'margin:0 0 18px;padding-left:16px;border-left:4px solid #ff4d23',
  pre: 'margin:0 0 18px;white-space:pre-wrap;word-break:break-word;font-size:14px',
  table: 'margin:0 0 18px;border-collapse:collapse;font-size:14px;line-height:1.5',
  caption: 'padding:0 0 8px;text-align:left;font-weight:700',
  th: 'padding:8px 12px 8px 0;border-bottom:2px solid #dcd9d2;text-align:left;vertical-align:top',
  td: 'padding:8px 12px 8px 0;border-bottom:1px solid #dcd9d2;vertical-align:top;word-break:break-word',
  img: 'display:block;width:100%;max-width:100%;height:auto;border:0',
}

/** Classes of the layout: what is a table of data in the text part, and whose lines change in the dark. */
const classes: Readonly<Record<string, string>> = { table: 'data', th: 'rule', td: 'rule' }

/** What stays of the article's attributes, since it says something without the page. */
const meaning = [
  'lang',
  'dir',
  'colspan',
  'rowspan',
  'scope',
  'start',
  'reversed',
  'value',
] as const

/** The article's HTML without what mail programs trip over, and with its styles where they look for them. */
async function forMail(clean: string): Promise<string> {
  const { default: sanitizeHtml } = await import('sanitize-html')
  return sanitizeHtml(clean, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'del', 'ins'],
    allowedAttributes: {
      a: ['href'],
      img: ['src', 'alt'],
      '*': ['style', 'class', ...meaning],
    },
    transformTags: {
      '*': (tagName, { href, src, alt, ...rest }) => ({
        tagName,
        attribs: {
          ...Object.fromEntries(
            meaning.flatMap((name) => (name in rest ? [[name, rest[name]!]] : [])),
          ),
          ...(href && { href }),
          ...(src && { src: src.replace('format=webp', 'format=jpg'), alt: alt ?? '' }),
          ...(styles[tagName] && { style: styles[tagName] }),
          ...(classes[tagName] && { class: classes[tagName] }),
        },
      }),
    },
  })
}
