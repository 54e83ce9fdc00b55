import { createContext, use, type ComponentProps, type ReactNode } from 'react'
import { preload } from 'react-dom'
import { ScrollRestoration, useLocation } from 'react-router'
import { isTool } from '#shared/paths.ts'
import expandedFont from '../fonts/archivo-expanded.woff2?url'
import textFont from '../fonts/archivo-text.woff2?url'
import { firstScript, startScript } from '../inline/scripts.ts'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'

/** What the server writes into the document for the browser. */
export type ServerData = {
  json: string
  nonce?: string | undefined
  /**
   * The entry, the page's own module with the name of its route, what both need, and the styles that
   * the page has already; null for a page that stays without code.
   */
  code: {
    entry: string
    page: string | null
    route: string
    modules: readonly string[]
    styles: readonly string[]
  } | null
}

/** Provided on the server only; the browser hydrates what is there. */
export const ServerData = createContext<ServerData | null>(null)

/**
 * The HTML document around every page. The first script runs before first paint;
 * the route data is inert JSON that the entry reads, and the last script is what loads that. What
 * the browser has by then, its code goes without: such elements stay without being hydrated.
 */
export function Document({ children }: { children: ReactNode }) {
  const server = import.meta.env.SSR ? use(ServerData) : null
  const { pathname } = useLocation()
  if (import.meta.env.SSR) {
    for (const font of [expandedFont, textFont]) {
      preload(font, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
    }
  }
  return (
    // Tools have a lower bar; for a style sheet to find that out with :has() is slow (docs/decisions/0012).
    <html lang="en" data-tool={isTool(pathname) ? '' : undefined} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {import.meta.env.SSR && <Marks />}
        {server && <Inline nonce={server.nonce} code={firstScript} />}
      </head>
      <body>
        {children}
        <ScrollRestoration />
        {server && <Inline type="application/json" id="route-data" code={server.json} />}
        {server?.code && (
          <Inline
            nonce={server.nonce}
            code={startScript}
            data-entry={server.code.entry}
            data-page={server.code.page ?? undefined}
            data-route={server.code.route}
            data-modules={server.code.modules.join(' ')}
            data-styles={server.code.styles.join(' ')}
          />
        )}
      </body>
    </html>
  )
}

/** A script in the document itself. */
const Inline = ({ code, ...rest }: { code: string } & ComponentProps<'script'>) => (
  <script {...rest} dangerouslySetInnerHTML={{ __html: code }} />
)

/** What marks the site's windows and shortcuts. */
const Marks = () => (
  <>
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f4ef" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#12161b" />
    <link rel="icon" href="/favicon.ico" sizes="32x32" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    <noscript>
      {/* With scripts it comes after the first view (client/inline/start.ts). */}
      <link rel="manifest" href="/site.webmanifest" />
    </noscript>
  </>
)
