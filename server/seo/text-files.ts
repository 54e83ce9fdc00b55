import type { Row } from '#shared/content.ts'
import { paths, servicePath } from '#shared/paths.ts'
import { withTimeout } from '../timeout.ts'
import type { Config } from '../config.ts'
import type { Content } from '../content/source.ts'
import { readBrand, summary, type Brand } from './brand.ts'
import { fallbackTimeout, type Draft, type FileSet } from '../http/cached-files.ts'

const day = 86_400_000
/** How far ahead security.txt expires, in days; RFC 9116 recommends less than a year. */
const expiresAfter = 180

/** Areas that hold something private; what only must not be indexed says so itself, when it is read. */
const disallowed = ['/api/', '/debug/', '/panel/', '/s/', '/shop/checkout', '/subscription/']

const plain = (body: string): Draft => ({
  type: 'text/plain; charset=utf-8',
  body,
  cacheControl: 'public, max-age=3600',
})

/** robots.txt, which waits for no content. */
export function robotsFile(config: Pick<Config, 'siteUrl'>): FileSet {
  const make = () => {
    const lines = [
      'User-agent: *',
      ...disallowed.map((path) => `Disallow: ${path}`),
      'Allow: /',
      '',
      `Sitemap: ${config.siteUrl}/sitemap.xml`,
      '',
    ]
    return new Map([['/robots.txt', plain(lines.join('\n'))]])
  }
  return {
    name: 'robots',
    paths: ['/robots.txt'],
    version: () => '',
    make: async () => make(),
    fallback: make,
  }
}

/**
 * The short texts that machines look for: site.webmanifest, security.txt, llms.txt.
 * @param config for the public origin, which is asked for when the files are made
 * @param servicePages the pages of services that there are
 */
export function textFiles({
  content,
  clock,
  config,
  servicePages,
}: {
  content: Pick<Content, 'rows' | 'version'>
  clock: () => number
  config: Pick<Config, 'siteUrl'>
  servicePages: readonly string[]
}): FileSet {
  /** @param ms how long content may take; what is late is left out */
  async function make(ms?: number) {
    const rows = async <Name extends 'services' | 'news'>(name: Name) => {
      const read = content.rows(name)
      return (ms === undefined ? read : withTimeout(read, ms)).catch((): readonly Row<Name>[] => [])
    }
    const [brand, services, news] = await Promise.all([
      readBrand(content, ms),
      rows('services'),
      rows('news'),
    ])
    return new Map<string, Draft>([
      ['/.well-known/security.txt', plain(security(brand))],
      ['/llms.txt', plain(llms(brand, services, news))],
      [
        '/site.webmanifest',
        {
          type: 'application/manifest+json; charset=utf-8',
          body: manifest(brand),
          cacheControl: 'public, max-age=3600',
        },
      ],
    ])
  }

  function manifest(brand: Brand): string {
    const icon = (size: number, purpose: string) => ({
      src: `/icon-${size}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })
    const manifested = {
      id: '/',
      name: brand.brand,
      short_name: brand.brand.split(/\s+/).slice(0, 2).join(' ').slice(0, 20),
      description: summary(brand),
      lang: 'en',
      dir: 'ltr',
      start_url: '/',
      scope: '/',
      display: 'minimal-ui',
      background_color: '#0b0d10',
      theme_color: '#0b0d10',
      icons: [
        { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
        icon(192, 'any'),
        icon(512, 'any'),
        icon(512, 'maskable'),
      ],
    }
    return `${JSON.stringify(manifested, null, 2)}\n`
  }

  function security({ email }: Brand): string {
    const today = Math.floor(clock() / day) * day
    return [
      ...(email ? [`Contact: mailto:${email}`] : []),
      `Contact: ${config.siteUrl}${paths.contactPage()}`,
      `Expires: ${new Date(today + expiresAfter * day).toISOString()}`,
      'Preferred-Languages: en, fi',
      `Canonical: ${config.siteUrl}/.well-known/security.txt`,
      '',
    ].join('\n')
  }

  /** A site in Markdown for language models (llmstxt.org). */
  function llms(
    brand: Brand,
    services: readonly Row<'services'>[],
    news: readonly Row<'news'>[],
  ): string {
    const line = (name: string, path: string, text?: string | null) =>
      `- [${plainText(name)}](${config.siteUrl}${path})${text ? `: ${plainText(text)}` : ''}`
    const offices = (brand.offices ?? []).map(({ name, city, country }) =>
      plainText(`${name}: ${city}, ${country}`),
    )
    return [
      `# ${plainText(brand.brand)}`,
      '',
      `> ${plainText(summary(brand))}`,
      '',
      'All pages are public HTML in English. Prices are without VAT. Enquiries are answered on the next working day in Finland at the latest.',
      '',
      '## Services',
      '',
      ...services
        .map(({ title, description, url }) => ({ title, description, path: servicePath(url) }))
        .filter(({ path }) => servicePages.includes(path))
        .map(({ title, description, path }) => line(title, path, description)),
      '',
      '## Pages',
      '',
      line('Home', paths.home(), 'services, latest work and contact'),
      line('Portfolio', paths.portfolio(), 'selected work by service, discipline and year'),
      line('News', paths.news(), 'race reports, guides and notes from behind the scenes'),
      line('About us', paths.about(), 'the team, the offices and what clients say'),
      line('RSS feed', paths.feed(), 'the newest articles in full'),
      '',
      '## Latest news',
      '',
      ...news
        .slice(0, 10)
        .map(({ title, slug, excerpt }) =>
          line(title, paths.article(encodeURIComponent(slug)), excerpt),
        ),
      '',
      '## Contact',
      '',
      line('Contact form', paths.contactPage()),
      ...(brand.email ? [`- E-mail: ${brand.email}`] : []),
      ...(brand.phone ? [`- Telephone: ${brand.phone}`] : []),
      ...offices.map((office) => `- ${office}`),
      '',
      '## Optional',
      '',
      line('Privacy policy', paths.privacyPolicy()),
      line('Terms of service', paths.termsOfService()),
      line('Cookie policy', paths.cookiePolicy()),
      line('Accessibility statement', paths.accessibility()),
      '',
    ].join('\n')
  }

  return {
    name: 'texts',
    paths: ['/.well-known/security.txt', '/llms.txt', '/site.webmanifest'],
    // Once a day too, for the date in security.txt.
    version: () => `${content.version()}.${Math.floor(clock() / day)}`,
    make: () => make(),
    fallback: () => make(fallbackTimeout),
  }
}

/** A text on one line, with nothing that Markdown reads as a link. */
const plainText = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/[[\]]/g, '').trim()
