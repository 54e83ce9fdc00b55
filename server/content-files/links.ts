import type { Note } from '../content/files/extra-content-files.ts'
import { isTool, pagePaths, paths } from '#shared/paths.ts'

/** What links may lead to. */
export type Places = {
  assets: ReadonlySet<string>
  /** Files among the assets that aren't served, by their name without its ending. */
  unserved: ReadonlyMap<string, string>
  hasAlt(id: string): boolean
  /** Paths of services. */
  services: ReadonlySet<string>
  /** Slugs, old ones too. */
  articles: ReadonlySet<string>
  projects: ReadonlySet<string>
  /** Ids. */
  events: ReadonlySet<string>
}

/** Pages that content may link to (docs/contract.md, Pages): all that have one address and aren't tools. */
const pages: ReadonlySet<string> = new Set([
  ...Object.values(pagePaths).filter((path) => !path.includes(':') && !isTool(path)),
  paths.contactPage(),
  paths.calendarFeed(),
  paths.feed(),
  '/services',
])

/** Pages of what content doesn't hold: products, feeds of series, short links. It can't tell if they are there. */
const heldElsewhere = /^\/(?:shop\/products\/[^/]+|calendar\/[^/]+\.ics|l\/[^/]+)$/

/** Places on the home page that content may link to. */
const anchors: ReadonlySet<string> = new Set(['', '#services', '#contact', '#media-outsourcing'])

const schemes = /^(?:https?|mailto|tel|sms):/i

/** Checks the links and pictures of a piece of HTML. */
export function checkLinks(html: string, places: Places, note: Note, field: string): void {
  for (const [tag, name = ''] of html.matchAll(/<(a|img)\b[^>]*>/gi)) {
    const attribute = (wanted: string) => {
      const found = new RegExp(String.raw`\s${wanted}\s*=\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag)
      return found ? (found[1] ?? found[2] ?? '').replaceAll('&amp;', '&') : null
    }
    const isPicture = name.toLowerCase() === 'img'
    const address = attribute(isPicture ? 'src' : 'href')
    if (address === null) {
      if (isPicture) note('an image has no URL', field)
      continue
    }
    const problem = wrongAddress(address, places, isPicture)
    if (problem) note(problem, field)
    const asset = assetOf(address)
    if (isPicture && attribute('alt') === null && !(asset && places.hasAlt(asset))) {
      note(`image ${address.slice(0, 80)} has no alt text`, field)
    }
  }
}

const assetOf = (address: string) => address.match(/^\/assets\/([\w-]+)(?:\.\w+)?(?:[?#].*)?$/)?.[1]

/** An address of ours with its path decoded; null for one that can't be read, such as `/news/%zz`. */
function read(address: string) {
  try {
    const { pathname, hash, searchParams } = new URL(address, 'http://site')
    return { path: decodeURIComponent(pathname), hash, searchParams }
  } catch {
    return null
  }
}

/** What is wrong with an address; null where it leads somewhere, as far as one can know here. */
function wrongAddress(address: string, places: Places, isPicture: boolean): string | null {
  const shown = address.slice(0, 80)
  if (address.startsWith('#') || schemes.test(address)) return null
  if (isPicture && /^data:image\//i.test(address)) return null
  if (/^[a-z][a-z\d+.-]*:/i.test(address)) return `scheme not allowed: ${shown}`
  if (!address.startsWith('/') || address.startsWith('//')) {
    return `${shown} should begin with one slash`
  }
  const asset = assetOf(address)
  if (asset !== undefined) return places.assets.has(asset) ? null : `file not found: ${shown}`
  const wanted = read(address)
  if (!wanted) return `not a valid address: ${shown}`
  const { path, hash, searchParams } = wanted
  const event = path.match(/^\/calendar\/([^/]+)(?:\/event\.ics)?$/)?.[1]
  const article = path.match(/^\/news\/([^/]+)$/)?.[1]
  const shownCase = path.match(/^\/portfolio\/([^/]+)$/)?.[1]
  const project = path === paths.portfolio() ? searchParams.get('project') : null
  const leads =
    (pages.has(path) && (path !== paths.home() || anchors.has(hash))) ||
    places.services.has(path) ||
    heldElsewhere.test(path) ||
    (shownCase !== undefined && places.projects.has(shownCase)) ||
    (event !== undefined && places.events.has(event)) ||
    (article !== undefined && places.articles.has(article))
  if (!leads) return `broken link: ${shown}`
  return project === null || places.projects.has(project) ? null : `project not found: ${shown}`
}
