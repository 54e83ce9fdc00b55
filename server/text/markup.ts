/** HTML that is safe to put into HTML as it is. */
export type Markup = { readonly markup: string }

type Value = string | number | Markup | null | readonly (Markup | null)[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for use between tags and in quoted attributes. */
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign]!)

/** What escaping made of a text. */
const unescapeHtml = (text: string) =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) =>
    Object.keys(entities).find((sign) => entities[sign] === entity)!,
  )

/** Template tag: every value is escaped unless it is markup itself; null leaves nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  let markup = parts[0]!
  for (const [index, value] of values.entries()) markup += rendered(value) + parts[index + 1]!
  return { markup }
}

function rendered(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map((part) => part?.markup ?? '').join('')
}

/** What XML 1.0 cannot hold at all, not even escaped. */
const xmlForbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

const xmlSafe = (text: string) => text.replaceAll(xmlForbidden, '')

/** Template tag like {@link html}, for XML: what its documents cannot hold is left out as well. */
export function xml(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return html(parts, ...values.map((value) => (typeof value === 'string' ? xmlSafe(value) : value)))
}

/** HTML as the text of an XML element. */
export const cdata = (text: string): Markup => ({
  markup: `<![CDATA[${xmlSafe(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`,
})

/**
 * Clean HTML for readers outside of the site: every address in it becomes absolute.
 * @param clean what sanitising leaves: quoted attributes, `&` escaped
 * @param page the absolute address of the page that it stands on
 */
export function absoluteHtml(clean: string, page: string): string {
  const absolute = (address: string) => {
    if (address.startsWith('#')) return escapeHtml(page) + address
    const isWhole = /^\s*(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)
    const whole = isWhole ? null : URL.parse(unescapeHtml(address), page)
    return whole ? escapeHtml(whole.href) : address
  }
  return clean
    .replaceAll(
      /(\s(?:href|src|cite)=")([^"]*)"/g,
      (_, name: string, address: string) => `${name}${absolute(address)}"`,
    )
    .replaceAll(/(\ssrcset=")([^"]*)"/g, (_, name: string, set: string) => {
      // Each is an address and, after a space, how wide its picture is.
      const candidates = set.split(/,\s+/).map((candidate) => {
        const [address = '', ...widths] = candidate.trim().split(/\s+/)
        return [absolute(address), ...widths].join(' ')
      })
      return `${name}${candidates.join(', ')}"`
    })
}
