/** Finds the files of the content service by the addresses that editors write. */
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
 * Makes the reading of addresses.
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

/** What raw HTML may show or link to: ids of files, and addresses of pictures that lie elsewhere. */
export const picturesIn = (html: string): string[] => [
  ...[...html.matchAll(ownFiles)].map(([, id]) => id!),
  ...[...html.matchAll(foreignPictures)].map(([, address]) => address!),
]

/** The path beneath the content service; null for an address that is somewhere else. */
function pathBeneath(bases: readonly URL[], value: string): string | null {
  if (/^\/(?!\/)/.test(value)) return value
  if (!/^(?:https?:)?\/\//i.test(value) || !URL.canParse(value, 'https://site.invalid')) return null
  const { host, pathname } = new URL(value, 'https://site.invalid')
  const base = bases.find((each) => each.host === host)
  const prefix = base?.pathname.replace(/\/+$/, '')
  return prefix !== undefined && pathname.startsWith(prefix) ? pathname.slice(prefix.length) : null
}
