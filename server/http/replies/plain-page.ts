import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { paths } from '#shared/paths.ts'
import { dist } from '../../dist.ts'
import { html, type Markup } from '../../text/markup.ts'
import { hashSource, pagePolicy, type Framing } from '../security-headers.ts'

/** A page that works without scripts: its title and main content. */
export type PlainPage = { title: string; body: Markup }

/** A link in the footer of plain pages. */
export type FooterLink = { readonly name: string; readonly path: string }

const root = join(import.meta.dirname, '../../..')

/** The built font files; empty without a build. */
const assets = join(dist, 'client/assets')
const fonts = (existsSync(assets) ? readdirSync(assets) : [])
  .filter((name) => name.endsWith('.woff2'))
  .map((name) => `/assets/${name}`)

/** The site's @font-face rules, pointing at built files or, in development, at Vite's. */
const faces = readFileSync(join(root, 'client/site/styles/fonts.css'), 'utf8').replaceAll(
  /\.\.\/\.\.\/fonts\/([\w-]+)\.woff2/g,
  (_, file: string) =>
    fonts.find((url) => url.startsWith(`/assets/${file}-`)) ?? `/client/fonts/${file}.woff2`,
)

const style = [faces, readFileSync(join(import.meta.dirname, 'plain.css'), 'utf8')].join('\n')

// Not in the template: the formatter would add spaces and change the text's hash.
const sheet: Markup = { markup: `<style>${style}</style>` }

/** Applies the visitor's theme and wires the buttons of error pages. */
const script = `(function(d){
try{var t=localStorage.getItem('theme')}catch(e){}
if(t==='light'||t==='dark')d.classList.add(t);
d.classList.add('js');
d.addEventListener('click',function(e){
var b=e.target.closest('[data-way]');
if(b)b.dataset.way==='back'?history.back():location.reload()})
})(document.documentElement)`

const inlineScript: Markup = { markup: `<script>${script}</script>` }

/** CSP sources of the style sheet and script of {@link plainPage}. */
const plainStyle = hashSource(style)
const plainScript = hashSource(script)

/**
 * Renders a complete page in the site's design, mostly for replies to forms. Works without scripts;
 * with them it follows the visitor's theme.
 * @param options `brand` the agency's name; null if unknown
 */
function plainPage(
  { title, body }: PlainPage,
  { brand, footer }: { brand: string | null; footer: readonly FooterLink[] },
): string {
  const preloads = fonts.map(
    (url) => html`<link rel="preload" as="font" type="font/woff2" href="${url}" crossorigin /> `,
  )
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f4ef" />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#12161b" />
      <title>${brand === null ? title : `${title} | ${brand}`}</title>
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      ${preloads} ${sheet} ${inlineScript}
    </head>
    <body>
      <header>
        <a class="home" href="${paths.home()}" aria-label="${brand ?? 'Our'} home page">
          <svg aria-hidden="true" width="34" height="22" viewBox="0 0 34 22">
            <path class="stones" d="M7 0h8L8 22H0zm19 0h8l-7 22h-8z" />
            <path fill="currentColor" d="M16.5 0h8l-7 22h-8z" />
          </svg>
          ${brand ?? 'Home'}
        </a>
      </header>
      <main>${body}</main>
      <footer>
        ${brand && html`<p>© ${brand}</p>`}
        ${footer.map(({ name, path }) => html`<a href="${path}">${name}</a> `)}
      </footer>
    </body>
  </html>`
  return `<!doctype html>\n${page.markup}\n`
}

/** Sends a plain page, neither cached nor indexed. */
export type SendPlain = (
  response: ServerResponse,
  reply: { status: number; page: PlainPage; brand: string | null },
) => void

export const createSendPlain =
  (footer: readonly FooterLink[], framing: Framing): SendPlain =>
  (response, { status, page, brand }) => {
    const bytes = Buffer.from(plainPage(page, { brand, footer }))
    const frame = framing(response.req.url ?? '')
    if (frame.length > 0) response.removeHeader('X-Frame-Options')
    response.statusCode = status
    response
      .setHeader(
        'Content-Security-Policy',
        pagePolicy([plainScript], { style: [plainStyle], frame }),
      )
      .setHeader('Cache-Control', 'no-store')
      .setHeader('X-Robots-Tag', 'noindex')
      .setHeader('Content-Type', 'text/html; charset=utf-8')
      .setHeader('Content-Length', bytes.length)
      .end(bytes)
  }
