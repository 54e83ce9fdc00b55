/** Every address of the site, built in one place; pages, mail, feeds and tests ask here. */
export const paths = {
  home: () => '/',
  services: () => '/#services',
  contact: () => '/#contact',
  contactPage: () => '/contact',
  contactWindow: () => '/contactwindow',
  mediaOutsourcing: () => '/services/media-outsourcing',
  service: (slug: string) => `/services/${slug}`,
  portfolio: () => '/portfolio',
  about: () => '/about-us',
  news: () => '/news',
  article: (slug: string) => `/news/${slug}`,
  feed: () => '/news/rss.xml',
  clientZone: () => '/client-zone',
  /** A panel; without its code, the visitor's own. */
  panel: (code?: string) => (code === undefined ? '/panel' : `/panel/${code}`),
  panelFile: (code: string, id: string) => `/panel/${code}/files/${id}`,
  shortLinks: () => '/links',
  shortLink: (code: string) => `/l/${code}`,
  logs: () => '/debug/logs',
  privacyPolicy: () => '/privacy-policy',
  termsOfService: () => '/terms-of-service',
  cookiePolicy: () => '/cookie-policy',
  accessibility: () => '/accessibility',
  project: (slug: string) => `/portfolio?project=${encodeURIComponent(slug)}`,
  selfCheck: () => '/test',
  search: (term?: string) =>
    term === undefined ? '/search' : `/search?q=${encodeURIComponent(term)}`,
  asset: (id: string) => `/assets/${id}`,
  folder: (id: string) => `/s/${id}`,
  folderFile: (id: string, file: number) => `/s/${id}/files/${file}`,
  /** Shown in place: films and sounds as they are. */
  folderView: (id: string, file: number, version: string) => `/s/${id}/view/${file}?v=${version}`,
  folderThumb: (id: string, file: number, version: string) => `/s/${id}/thumb/${file}?v=${version}`,
  folderWeb: (id: string, file: number, version: string) => `/s/${id}/web/${file}?v=${version}`,
  folderZip: (id: string) => `/s/${id}/zip`,
  folderPassword: (id: string) => `/s/${id}/password`,
  folderPicks: (id: string) => `/s/${id}/picks`,
} as const

/** A text without the slashes at its ends. */
export function withoutOuterSlashes(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && text[start] === '/') start += 1
  while (end > start && text[end - 1] === '/') end -= 1
  return text.slice(start, end)
}

/**
 * The path of a service from the `url` of its record, which comes with or without the
 * /services/ prefix (spec 3.1), with or without slashes at its ends.
 */
export function servicePath(url: string): string {
  const trimmed = withoutOuterSlashes(url)
  return /^https?:/.test(url) ? url : paths.service(trimmed.replace(/^services\//, ''))
}
