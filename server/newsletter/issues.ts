import { failure } from '#shared/failures.ts'
import { assetUrl } from '#shared/images.ts'
import { paths } from '#shared/paths.ts'
import type { Content } from '../content/source.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { absoluteHtml } from '../markup.ts'

/** An article as it goes out by mail; every address in it is absolute. */
export type Issue = {
  readonly slug: string
  readonly title: string
  readonly excerpt: string
  readonly url: string
  readonly picture: { src: string; alt: string } | null
  /** Clean HTML with the styles that mail programs need. */
  readonly html: string
  /** Who sends it, as the law requires it: name, address, business id. */
  readonly imprint: string
}

/** The issues that went out, or are about to; the only place with their SQL. */
export type Issues = ReturnType<typeof createIssues>

/** Prepares the statements of the issues. */
export function createIssues(db: Database, { clock }: { clock: () => number }) {
  const insert = db.prepareWrite(`INSERT INTO newsletter_issues (slug, created_at, content)
    VALUES (:slug, :now, :content) ON CONFLICT (slug) DO NOTHING`)
  const overwrite = db.prepareWrite(`INSERT INTO newsletter_issues (slug, created_at, content)
    VALUES (:slug, :now, :content)
    ON CONFLICT (slug) DO UPDATE SET created_at = :now, content = :content`)
  const one = db.prepare('SELECT content FROM newsletter_issues WHERE slug = :slug').pluck()
  const keptAt = db.prepare('SELECT created_at FROM newsletter_issues WHERE slug = :slug').pluck()
  const deliveries = db.prepare(`SELECT status, count(*) AS count FROM mails
    WHERE dedupe_key >= :key || ':' AND dedupe_key < :key || ';' GROUP BY status ORDER BY status`)
  const failures = db.prepare(`SELECT subscribers.email, mails.last_reply AS reply
    FROM mails LEFT JOIN subscribers
      ON subscribers.id = json_extract(mails.data, '$.subscriber')
    WHERE dedupe_key >= :key || ':' AND dedupe_key < :key || ';' AND mails.status = 'failed'
    ORDER BY mails.id`)
  const all = db.prepare(`SELECT slug, created_at AS createdAt
    FROM newsletter_issues WHERE slug NOT LIKE 'trial:%' ORDER BY created_at`)
  const key = (slug: string) => `issue/${slug}`

  return {
    /** Keeps an issue as it is sent; the first stays, so that a second attempt sends the same. */
    keep: (tx: Transaction, issue: Issue) =>
      void insert.run(tx, { slug: issue.slug, now: clock(), content: JSON.stringify(issue) }),
    /** Keeps an issue for a trial mail; the next trial has the article of its day. @returns its key */
    keepTrial(tx: Transaction, issue: Issue): string {
      const slug = `trial:${issue.slug}`
      overwrite.run(tx, { slug, now: clock(), content: JSON.stringify(issue) })
      return slug
    },
    find(slug: string): Issue | null {
      const content = one.get({ slug }) as string | undefined
      return content === undefined ? null : (JSON.parse(content) as Issue)
    },
    /** When an issue was first sent, in milliseconds of the epoch, or null. */
    keptAt: (slug: string) => (keptAt.get({ slug }) as number | undefined) ?? null,
    list: () => all.all() as { slug: string; createdAt: number }[],
    /** The dedupe key of an issue's mail to a subscriber. */
    mailKey: (slug: string, subscriber: number) => `${key(slug)}:${subscriber}`,
    /** What became of an issue's mails, by status. */
    deliveries: (slug: string) =>
      deliveries.all({ key: key(slug) }) as { status: string; count: number }[],
    /** Who did not get it, with the mail server's last word. */
    failures: (slug: string) =>
      failures.all({ key: key(slug) }) as { email: string | null; reply: string | null }[],
  }
}

/**
 * Makes an issue of a published article.
 * @throws failure `missing` when no visible article has the slug; `unavailable` while it cannot be read
 */
export async function issueOf(slug: string, content: Content, siteUrl: string): Promise<Issue> {
  const article = (await content.rows('news')).find((row) => row.slug === slug)
  if (!article) throw failure('missing', { message: `No published article is called ${slug}.` })
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
  img: 'display:block;width:100%;max-width:100%;height:auto;border:0',
}

/** The article's HTML without what mail programs trip over, and with its styles where they look for them. */
async function forMail(clean: string): Promise<string> {
  const { default: sanitizeHtml } = await import('sanitize-html')
  return sanitizeHtml(clean, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img'],
    allowedAttributes: { a: ['href', 'style'], img: ['src', 'alt', 'style'], '*': ['style'] },
    transformTags: {
      '*': (tagName, { href, src, alt }) => ({
        tagName,
        attribs: {
          ...(href && { href }),
          ...(src && { src: src.replace('format=webp', 'format=jpg'), alt: alt ?? '' }),
          ...(styles[tagName] && { style: styles[tagName] }),
        },
      }),
    },
  })
}
