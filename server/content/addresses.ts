/** Schemes allowed in links of content. */
const linkSchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:'])

const rasterData = /^data:image\/(?:png|jpe?g|webp|gif|avif);base64,[a-z\d+/=\s]+$/i

/** A host name for the site itself, which no one can own (RFC 6761). */
const ourselves = 'https://site.invalid'

/**
 * Whether a link of content is safe: on the site, or with a scheme that runs nothing. Parsed like
 * browsers do, skipping spaces and control characters (WHATWG URL).
 */
export function isSafeLink(address: string): boolean {
  if (!URL.canParse(address, ourselves)) return false
  const { protocol, origin } = new URL(address, ourselves)
  // `//host` and `/\host` look like paths but lead elsewhere.
  const staysOrSays = origin === ourselves || /^\s*[a-z][a-z\d+.-]*:/i.test(address)
  return linkSchemes.has(protocol) && staysOrSays
}

/** Whether a value may be a picture: a file id, a path, a web address, or pixels in the address itself. */
export function isSafePicture(address: string): boolean {
  if (rasterData.test(address)) return true
  return isSafeLink(address) && /^https?:$/.test(new URL(address, ourselves).protocol)
}

/** The origin of an external picture, for the Content-Security-Policy; null for our own. */
export function foreignOrigin(address: string): string | null {
  if (!/^\s*https?:/i.test(address) || !URL.canParse(address)) return null
  const { origin } = new URL(address)
  // A host may contain characters with a meaning in a policy, such as `*`.
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : null
}

/** Whether an inline picture is a raster image; SVG could contain anything. */
export const isRasterData = (address: string): boolean => rasterData.test(address)

/** Resolves the addresses of content service files that editors write. */
export type FileAddresses = {
  /** The file id in an address of the content service's assets path, else the value itself. */
  assetId(value: string): string
  /** Raw HTML, or any text, with the files of the content service under our own addresses. */
  withOwnAddresses(html: string): string
}

const ownFiles = /\/assets\/([\w-]{1,80})/g
const foreignPictures =
  /<img\b[^>]{0,2000}?\bsrc\s{0,9}=\s{0,9}["']?(https?:\/\/[^"'\s>]{1,2000})/gi

/**
 * @param contentUrls the addresses of a Directus, whose asset addresses become our own; editors may
 *   know it by another one than the server does
 */
export function createFileAddresses(contentUrls: readonly string[]): FileAddresses {
  const bases = contentUrls.map((url) => new URL(url))
  const foreignFiles = bases.map(({ host, pathname }) => {
    const place = `${host}${pathname.replace(/\/+$/, '')}`
    return new RegExp(`(?:https?:)?//${RegExp.escape(place)}/assets/`, 'gi')
  })
  return {
    assetId: (value) =>
      pathBeneath(bases, value.trim())?.match(
        /^\/assets\/([\w-]{1,80})(?:\.\w{1,8})?(?:[/?#].*)?$/,
      )?.[1] ?? value,
    withOwnAddresses: (html) =>
      foreignFiles.reduce((text, address) => text.replaceAll(address, '/assets/'), html),
  }
}

/** The files (by id) and external pictures (by address) that raw HTML names. */
export const picturesIn = (html: string): string[] => [
  ...[...html.matchAll(ownFiles)].map(([, id]) => id!),
  ...[...html.matchAll(foreignPictures)].map(([, address]) => address!),
]

/** The path below the content service; null for other addresses. */
function pathBeneath(bases: readonly URL[], value: string): string | null {
  if (/^\/(?!\/)/.test(value)) return value
  if (!/^(?:https?:)?\/\//i.test(value) || !URL.canParse(value, ourselves)) return null
  const { host, pathname } = new URL(value, ourselves)
  const base = bases.find((each) => each.host === host)
  const prefix = base?.pathname.replace(/\/+$/, '')
  return prefix !== undefined && pathname.startsWith(prefix) ? pathname.slice(prefix.length) : null
}
