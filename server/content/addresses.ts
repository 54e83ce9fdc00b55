/** Schemes that a link of content may have. */
const linkSchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:'])

const rasterData = /^data:image\/(?:png|jpe?g|webp|gif|avif);base64,[a-z\d+/=\s]+$/i

/** Stands for the site itself; nobody can own it (RFC 6761). */
const base = 'https://site.invalid'

/**
 * Whether an address of content may stand in a page: on the site, or with a scheme that runs
 * nothing. It is read as browsers read it, who skip spaces and control characters (WHATWG URL).
 */
export function isSafeLink(address: string): boolean {
  if (!URL.canParse(address, base)) return false
  const { protocol, origin } = new URL(address, base)
  // `//host` and `/\host` lead elsewhere although they look like paths.
  const staysOrSays = origin === base || /^\s*[a-z][a-z\d+.-]*:/i.test(address)
  return linkSchemes.has(protocol) && staysOrSays
}

/** Whether a value may be a picture: a file id, a path, a web address, or pixels in the address itself. */
export function isSafePicture(address: string): boolean {
  if (rasterData.test(address)) return true
  return isSafeLink(address) && /^https?:$/.test(new URL(address, base).protocol)
}

/** The origin of a picture that lies elsewhere, fit for a policy; null for one of ours. */
export function foreignOrigin(address: string): string | null {
  if (!/^\s*https?:/i.test(address) || !URL.canParse(address)) return null
  const { origin } = new URL(address)
  // A host may be spelled with characters that mean something in a policy, such as `*`.
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : null
}

/** Whether an inline picture is made of pixels, and no drawing that could hold anything else. */
export const isRasterData = (address: string): boolean => rasterData.test(address)
