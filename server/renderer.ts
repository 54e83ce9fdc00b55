import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Writable } from 'node:stream'
import type { RequestHandler } from 'express'
import type { EnvironmentModuleNode, ViteDevServer } from 'vite'
import type { PageRequest, Rendering, RendererBundle } from '#shared/rendering.ts'
import { assetsOf, type Manifest, type Sheets } from './build-manifest.ts'

/** The bundle of client/entry-server.tsx. */
type Bundle = RendererBundle<Writable>

/** The page renderer, handed to the app from outside: a build or Vite, whichever there is. */
export type Renderer = {
  readonly development: boolean
  /** The inline scripts that its pages may contain, to the letter; nothing else may run. */
  readonly inlineScripts: readonly string[]
  /** The names in the query that the page at a path depends on; null for one that is not kept. */
  queryOf(path: string): readonly string[] | null
  /** Whether the page at a path is posted to by its own form. */
  acceptsForm(path: string): boolean
  /** Renders with the code of this moment; in development that may be newer than a moment ago. */
  render: (request: Omit<PageRequest, 'assets'>) => Promise<Rendering<Writable>>
  /** Vite's own middleware in development. */
  middleware: RequestHandler | null
  close(): Promise<void>
}

/**
 * The renderer of a finished build.
 * @param dist the directory that `npm run build` fills
 */
export async function builtRenderer(dist: string): Promise<Renderer> {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(dist, 'client/.vite', name), 'utf8'))
  const assets = assetsOf(read('manifest.json') as Manifest, read('sheets.json') as Sheets)
  const { render, inlineScripts, queryOf, acceptsForm } = (await import(
    pathToFileURL(join(dist, 'server/entry-server.js')).href
  )) as Bundle
  return {
    development: false,
    inlineScripts,
    queryOf,
    acceptsForm,
    render: (request) => render({ ...request, assets }),
    middleware: null,
    async close() {},
  }
}

/**
 * The renderer of development: Vite transforms the sources as they are asked for, with hot
 * replacement in the browser.
 * @param root the project directory
 */
export async function developmentRenderer(root: string): Promise<Renderer> {
  const { createServer: createVite } = await import('vite')
  // On Vite's usual port a second server on the machine could not tell its pages of changes.
  const hmr = { port: await freePort() }
  // What browsers run, and nothing else below the project: beside it lie the database, the secret key
  // and emails of DATA_DIR, and this server, too, listens to the whole network unless HOST says otherwise.
  const fs = { allow: ['client', 'shared', 'node_modules'] }
  const vite = await createVite({ root, server: { middlewareMode: true, hmr, fs } })
  return {
    development: true,
    inlineScripts: [],
    queryOf: () => null,
    // The renderer itself refuses what has no action.
    acceptsForm: () => true,
    async render(request) {
      const { render } = (await vite.ssrLoadModule('/client/entry-server.tsx')) as Bundle
      return render({
        ...request,
        assets: (source) => ({
          entry: '/client/entry-client.tsx',
          page: source && `/${source}`,
          modules: [],
          styles: stylesOf(vite, ['client/entry-server.tsx', ...(source ? [source] : [])]),
          sheet: null,
        }),
        onError(error) {
          if (error instanceof Error) vite.ssrFixStacktrace(error)
          request.onError(error)
        },
      })
    },
    middleware: vite.middlewares as RequestHandler,
    close: () => vite.close(),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The style sheets below some modules, so development pages do not flash unstyled. */
function stylesOf(vite: ViteDevServer, sources: readonly string[]): string[] {
  const graph = vite.environments.ssr.moduleGraph
  const styles = new Set<string>()
  const seen = new Set<unknown>()
  const walk = (module: EnvironmentModuleNode | undefined) => {
    if (!module || seen.has(module)) return
    seen.add(module)
    if (module.file?.endsWith('.css')) styles.add(`${module.url}?direct`)
    for (const imported of module.importedModules) walk(imported)
  }
  for (const source of sources) {
    for (const module of graph.getModulesByFile(join(vite.config.root, source)) ?? []) walk(module)
  }
  return [...styles]
}
