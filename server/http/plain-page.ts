import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '#shared/paths.ts'
import { dist } from '../dist.ts'
import { html, type Markup } from '../markup.ts'
import { hashSource } from './guards.ts'

/** A page for people that needs no script: its title and what stands in its main part. */
export type PlainPage = { title: string; body: Markup }

/** A page that every plain page links at its foot, under a short name. */
export type FooterLink = { readonly name: string; readonly path: string }

const root = join(import.meta.dirname, '../..')

/** The fonts of the site by the names that the build gave them; none while nothing is built. */
const assets = join(dist, 'client/assets')
const fonts = (existsSync(assets) ? readdirSync(assets) : [])
  .filter((name) => name.endsWith('.woff2'))
  .map((name) => `/assets/${name}`)

/** The faces of the site, with their files where the build has put them, or Vite finds them. */
const faces = readFileSync(join(root, 'client/site/fonts.css'), 'utf8').replaceAll(
  /\.\.\/fonts\/([\w-]+)\.woff2/g,
  (_, file: string) =>
    fonts.find((url) => url.startsWith(`/assets/${file}-`)) ?? `/client/fonts/${file}.woff2`,
)

const style = [faces, readFileSync(join(import.meta.dirname, 'plain.css'), 'utf8')].join('\n')

// The formatter would put space into the element, and the policy wants its text to the letter.
const sheet: Markup = { markup: `<style>${style}</style>` }

/** Sets the theme that the visitor has chosen on the site, and lends the buttons of error pages their acts. */
const script = `(function(d){
try{var t=localStorage.getItem('theme')}catch(e){}
if(t==='light'||t==='dark')d.classList.add(t);
d.classList.add('js');
d.addEventListener('click',function(e){
var b=e.target.closest('[data-way]');
if(b)b.dataset.way==='back'?history.back():location.reload()})
})(document.documentElement)`

const inlineScript: Markup = { markup: `<script>${script}</script>` }

/** The sources of the style sheet and the script of {@link plainPage}, for a Content-Security-Policy. */
export const plainStyle = hashSource(style)
export const plainScript = hashSource(script)

/**
 * A complete page in the look of the site for replies that no script shows: answers to forms,
 * mostly. It works without scripts; with them it follows the theme that the visitor has chosen.
 * @param page its title is that of the window, too
 * @param options `brand` is the agency's name, or null while it is not known
 */
export function plainPage(
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
