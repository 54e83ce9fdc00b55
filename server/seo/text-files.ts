import { readAgency, type Agency } from '../content/agency.ts'
import type { Content } from '../content/source.ts'
import type { Platform } from '../feature.ts'
import { fallbackTimeout, type Draft, type FileSet } from '../http/replies/cached-files.ts'
import { summary } from './summary.ts'

/** A text file that may be kept for an hour. */
export const plain = (body: string): Draft => ({
  type: 'text/plain; charset=utf-8',
  body,
  cacheControl: 'public, max-age=3600',
})

/**
 * robots.txt, which waits for no content. It names what features keep from crawlers; what only must
 * not be indexed says so itself, when it is read.
 */
export function robotsFile({
  config,
  contributions,
}: Pick<Platform, 'config' | 'contributions'>): FileSet {
  const make = () => {
    if (!config.indexing) {
      return new Map([['/robots.txt', plain('User-agent: *\nDisallow: /\n')]])
    }
    const disallowed = ['/api/', ...contributions().disallowedPaths]
    const lines = [
      'User-agent: *',
      ...disallowed.toSorted().map((path) => `Disallow: ${path}`),
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

/** site.webmanifest, which names and pictures the site where it is installed. */
export function manifestFile(content: Pick<Content, 'rows' | 'version'>): FileSet {
  const path = '/site.webmanifest'
  const make = async (ms?: number) => {
    const draft: Draft = {
      type: 'application/manifest+json; charset=utf-8',
      body: manifest(await readAgency(content, ms)),
      cacheControl: 'public, max-age=3600',
    }
    return new Map([[path, draft]])
  }
  return {
    name: 'manifest',
    paths: [path],
    version: () => String(content.version()),
    make: () => make(),
    fallback: () => make(fallbackTimeout),
  }
}

function manifest(agency: Agency): string {
  const icon = (size: number, purpose: string) => ({
    src: `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  const manifested = {
    id: '/',
    name: agency.brand,
    short_name: agency.brand.split(/\s+/).slice(0, 2).join(' ').slice(0, 20),
    description: summary(agency),
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
