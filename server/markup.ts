import { createHash } from 'node:crypto'

/** HTML that is safe to put into HTML as it stands. */
export type Markup = { readonly markup: string }

type Value = string | number | Markup | null | readonly (Markup | null)[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes a text safe between tags and inside quoted attributes. */
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign]!)

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
const unspeakable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

const speakable = (text: string) => text.replaceAll(unspeakable, '')

/** Template tag like {@link html}, for XML: what its documents cannot hold is left out as well. */
export function xml(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return html(
    parts,
    ...values.map((value) => (typeof value === 'string' ? speakable(value) : value)),
  )
}

/** HTML as the text of an XML element. */
export const cdata = (text: string): Markup => ({
  markup: `<![CDATA[${speakable(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`,
})

/**
 * Clean HTML for readers outside of the site: every address in it becomes absolute.
 * @param clean what sanitising leaves: quoted attributes, `&` escaped
 * @param page the absolute address of the page that it stands on
 */
export function absoluteHtml(clean: string, page: string): string {
  const { origin } = new URL(page)
  const absolute = (address: string) => {
    if (address.startsWith('#')) return page + address
    return address.startsWith('/') && !address.startsWith('//') ? origin + address : address
  }
  return clean
    .replaceAll(
      /(\s(?:href|src|cite)=")([^"]*)"/g,
      (_, name: string, address: string) => `${name}${absolute(address)}"`,
    )
    .replaceAll(/(\ssrcset=")([^"]*)"/g, (_, name: string, set: string) => {
      const addresses = set.split(/,\s+/).map(absolute)
      return `${name}${addresses.join(', ')}"`
    })
}

const style = `
:root{color-scheme:light dark;font:1.0625rem/1.6 system-ui,sans-serif}
body{margin:0;min-height:100svh;display:grid;place-items:center;background:light-dark(#f4f4f2,#121417);color:light-dark(#16181c,#f2f2ef)}
main{box-sizing:border-box;width:min(100%,38rem);padding:2rem 1.25rem}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 1rem}
form{display:grid;gap:1rem}
label{display:grid;gap:.3rem;font-weight:600}
input,textarea{font:inherit;padding:.65rem .75rem;border:1px solid light-dark(#7c8088,#868b94);border-radius:.4rem;background:light-dark(#fff,#1b1e23);color:inherit}
[aria-invalid=true]{border-color:light-dark(#b3121d,#ff8b8b)}
.wrong{font-weight:400;color:light-dark(#b3121d,#ff8b8b)}
.trap{position:absolute;left:-100vw}
button{font:inherit;font-weight:700;padding:.75rem 1.25rem;border:0;border-radius:.4rem;background:light-dark(#b3121d,#ff8b8b);color:light-dark(#fff,#16181c);justify-self:start}
a{color:inherit}
`

/** The source of the style sheet of {@link plainPage}, for a Content-Security-Policy. */
export const plainStyle = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/**
 * A complete, plain page for replies that no script shows: answers to forms, mostly.
 * @param title of the window, plain text
 * @param body what stands in the main part
 */
export function plainPage({ title, body }: { title: string; body: Markup }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body.markup}
</main>
</body>
</html>
`
}
