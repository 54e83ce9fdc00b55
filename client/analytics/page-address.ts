/** Paths whose next part opens something private. */
const secret = /^\/(s|panel)\/[^/]+.*/

/**
 * The address of a page as measuring services may know it: of its query only the names of
 * campaigns (`utm_*`), of shared folders and panels not what opens them.
 */
export function pageAddress(path: string, search: string): string {
  const campaign = new URLSearchParams(
    Array.from(new URLSearchParams(search)).filter(([name]) => name.startsWith('utm_')),
  ).toString()
  return path.replace(secret, '/$1/private') + (campaign && `?${campaign}`)
}
