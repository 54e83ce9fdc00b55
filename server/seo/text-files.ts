import { paths, servicePath } from '#shared/paths.ts'
import type { Content } from '../content/source.ts'
import { readBrand, summary } from './brand.ts'
import type { Draft, FileSet } from '../http/kept-files.ts'
import { isServicePage } from './sitemap-entries.ts'

const day = 86_400_000
/** How far ahead security.txt expires, in days; RFC 9116 recommends less than a year. */
const expiresAfter = 180

/** Areas that hold something private; what only must not be indexed says so itself, when it is read. */
const disallowed = ['/api/', '/debug/', '/panel/', '/s/', '/shop/checkout', '/subscription/']

/**
 * The short texts that machines look for: robots.txt, site.webmanifest, security.txt, llms.txt.
 * @param siteUrl the public origin
 */
export function textFiles({
  content,
  clock,
  siteUrl,
}: {
  content: Pick<Content, 'rows' | 'version'>
  clock: () => number
  siteUrl: string
}): FileSet {
  const plain = (body: string): Draft => ({
    type: 'text/plain; charset=utf-8',
    body,
    cacheControl: 'public, max-age=3600',
  })

  async function make() {
    return new Map<string, Draft>([
      ['/robots.txt', plain(robots())],
      ['/.well-known/security.txt', plain(await security())],
      ['/llms.txt', plain(await llms())],
      [
        '/site.webmanifest',
        {
          type: 'application/manifest+json; charset=utf-8',
          body: await manifest(),
          cacheControl: 'public, max-age=3600',
        },
      ],
    ])
  }

  const robots = () =>
    [
      'User-agent: *',
      ...disallowed.map((path) => `Disallow: ${path}`),
      'Allow: /',
      '',
      `Sitemap: ${siteUrl}/sitemap.xml`,
      '',
    ].join('\n')

  async function manifest(): Promise<string> {
    const brand = await readBrand(content)
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

  async function security(): Promise<string> {
    const { email } = await readBrand(content)
    const today = Math.floor(clock() / day) * day
    return [
      ...(email ? [`Contact: mailto:${email}`] : []),
      `Contact: ${siteUrl}${paths.contactPage()}`,
      `Expires: ${new Date(today + expiresAfter * day).toISOString()}`,
      'Preferred-Languages: en, fi',
      `Canonical: ${siteUrl}/.well-known/security.txt`,
      '',
    ].join('\n')
  }

  /** A site in Markdown for language models (llmstxt.org). */
  async function llms(): Promise<string> {
    const none = () => []
    const [brand, services, news] = await Promise.all([
      readBrand(content),
      content.rows('services').catch(none),
      content.rows('news').catch(none),
    ])
    const line = (name: string, path: string, text?: string | null) =>
      `- [${plainText(name)}](${siteUrl}${path})${text ? `: ${plainText(text)}` : ''}`
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
        .filter(({ path }) => isServicePage(path))
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
    paths: ['/robots.txt', '/.well-known/security.txt', '/llms.txt', '/site.webmanifest'],
    // Once a day too, for the date in security.txt.
    mark: () => `${content.version()}.${Math.floor(clock() / day)}`,
    make,
    instead: make,
  }
}

/** A text on one line, with nothing that Markdown reads as a link. */
const plainText = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/[[\]]/g, '').trim()
