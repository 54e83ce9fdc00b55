import { renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { build, Plugin } from 'vite'

/**
 * What stays outside of the bundle: what has parts that are not JavaScript, starts threads of its own,
 * or is loaded only when it is first needed.
 */
const external = [
  '@e-invoice-eu/core',
  '@tus/file-store',
  '@tus/server',
  'better-sqlite3',
  'busboy',
  'file-type',
  'jq-web',
  'nodemailer',
  'pdfkit',
  'pino',
  'pino-pretty',
  'sanitize-html',
  'sharp',
  'stripe',
  'vite',
]

/**
 * Bundles the server with its libraries into `dist/app`, not minified, so the stack of an error
 * can be read.
 * @param bundle Vite's own function, which only a build loads
 * @param root of the project
 */
export const bundleServer = (bundle: typeof build, root: string): Promise<void> =>
  bundleSources(bundle, { root, main: 'server/main.ts', outDir: 'dist/app' })

/**
 * Bundles the command line into `dist/cli` in the same way. It is built beside and put in place whole,
 * since another command may be starting.
 */
export async function bundleCli(bundle: typeof build, root: string): Promise<void> {
  const beside = `dist/cli-${process.pid}`
  await bundleSources(bundle, { root, main: 'cli/main.ts', outDir: beside })
  rmSync(join(root, 'dist/cli'), { recursive: true, force: true })
  renameSync(join(root, beside), join(root, 'dist/cli'))
}

async function bundleSources(
  bundle: typeof build,
  { root, main, outDir }: { root: string; main: string; outDir: string },
): Promise<void> {
  await bundle({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [filesBesideSources(root), httpAlone],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        // A thread or process of its own begins with its own file.
        input: [
          main,
          'server/content/assets/picture-process.ts',
          'server/calendar/import/icalendar-worker.ts',
          'server/orders/documents/pdf-worker.ts',
        ].map((path) => join(root, path)),
        // Flat, so every file finds the sources at the same place.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', comments: false },
      },
    },
  })
}

/**
 * Takes `node:http` as code that requires it does: an `import` reads every name of it, and some of them
 * load Node's own `fetch`, which takes longer than to print a list. A name that isn't here fails the build.
 */
const httpAlone: Plugin = {
  name: 'http-alone',
  enforce: 'pre',
  // Packages require it whole.
  resolveId: (id, importer) =>
    id === 'node:http' && !importer?.includes('/node_modules/') ? '\0http-alone' : null,
  load: (id) =>
    id === '\0http-alone'
      ? `export const { STATUS_CODES, createServer, request } = process.getBuiltinModule('node:http')`
      : null,
}

/** Lets the bundle find the files that lie beside its sources, such as migrations. */
const filesBesideSources = (root: string): Plugin => ({
  name: 'files-beside-sources',
  transform(code, id) {
    const path = relative(root, id)
    if (!/^(cli|server|shared)\//.test(path) || !code.includes('import.meta.dirname')) return null
    const directory = path.slice(0, path.lastIndexOf('/'))
    const replaced = code.replaceAll(
      'import.meta.dirname',
      `(import.meta.dirname + '/../../${directory}')`,
    )
    return { code: replaced, map: null }
  },
})
