/**
 * The address of a menu's record in one spelling, however the record has it: `news`, `/news/` and `/news`
 * are one page, and relative ones would lead elsewhere below another page. Other sites' addresses stay.
 */
export function menuAddress(url: string): string {
  if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(url)) return url
  const end = url.search(/[?#]/)
  const [path, rest] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)]
  const spelled = path.startsWith('/') ? path : `/${path}`
  return (spelled.length > 1 && spelled.endsWith('/') ? spelled.slice(0, -1) : spelled) + rest
}
