import { createContext, use, type ReactNode } from 'react'
import { preload } from 'react-dom'
import { ScrollRestoration } from 'react-router'
import expandedFont from '../fonts/archivo-expanded.woff2?url'
import textFont from '../fonts/archivo-text.woff2?url'
import { themeScript } from './theme-script.ts'
import './fonts.css'
import './tokens.css'
import './base.css'

/** What the server writes into the document for the browser. */
export type ServerData = {
  json: string
  nonce?: string | undefined
  /** Styles that come in one file with others. */
  joined: readonly string[]
}

/** Provided on the server only; the browser hydrates what is there. */
export const ServerData = createContext<ServerData | null>(null)

/**
 * The HTML document around every page. The theme script runs before first paint (design 1.7);
 * the route data is inert JSON that the entry reads. What the browser has by then, its code goes
 * without.
 */
export function Document({ children }: { children: ReactNode }) {
  const server = use(ServerData)
  if (import.meta.env.SSR) {
    for (const font of [expandedFont, textFont]) {
      preload(font, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
    }
  }
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {import.meta.env.SSR && <Marks />}
        {import.meta.env.SSR && <Joined styles={server?.joined ?? []} />}
        <script
          nonce={server?.nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? themeScript : '' }}
        />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <script
          type="application/json"
          id="route-data"
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: server?.json ?? '' }}
        />
      </body>
    </html>
  )
}

/**
 * Names the styles that are there already, so that the code which needs them does not load them: it
 * looks for such an element first. A disabled one loads nothing.
 */
const Joined = ({ styles }: { styles: readonly string[] }) =>
  styles.map((style) => <link key={style} rel="stylesheet" href={style} {...{ disabled: true }} />)

/** What marks the site's windows and shortcuts. Such elements stay without being hydrated. */
const Marks = () => (
  <>
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f4ef" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0b0d10" />
    <link rel="icon" href="/favicon.ico" sizes="32x32" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    <link rel="manifest" href="/site.webmanifest" />
  </>
)
