import { renderToPipeableStream } from 'react-dom/server'
import { address, type Endpoint } from '#shared/endpoint.ts'
import { prepare as preparePage } from '#client/entry-server.tsx'

/**
 * Prepares the home page's tree once, with data from a running site.
 * @returns a function that renders it, and does nothing else
 */
export async function prepare(siteUrl: string) {
  const prepared = await preparePage({
    url: `${siteUrl}/`,
    method: 'GET',
    api: async <Input, Answer>(endpoint: Endpoint<Input, Answer>, input: Input) =>
      (await (await fetch(siteUrl + address(endpoint, input).url)).json()) as Answer,
    requestId: '',
    partTimeout: 5000,
    variant: 0,
    assets: () => ({
      entry: '/assets/entry.js',
      page: null,
      modules: [],
      styles: ['/assets/entry.css'],
      sheet: null,
    }),
    onError: console.error,
  })
  if (prepared.redirect !== null) throw new Error('The home page redirects.')
  return () => {
    const stream = renderToPipeableStream(prepared.tree, {
      onShellReady: () => undefined,
    })
    return stream
  }
}
