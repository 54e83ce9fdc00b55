import { relative } from 'node:path'
import type { build, Plugin } from 'vite'

/**
 * What stays outside of the bundle: what has parts that are not JavaScript, starts threads of its own,
 * or is loaded only when it is first needed.
 */
const external = [
  'better-sqlite3',
  'bwip-js',
  'exif-reader',
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
 * Bundles the server with its libraries into `dist/app`, not minified, so that the stack of an error
 * can be read.
 * @param bundle Vite's own function, which only a build loads
 * @param root of the project
 */
export async function bundleServer(bundle: typeof build, root: string): Promise<void> {
  await bundle({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [filesBesideSources(root)],
    ssr: { noExternal: true, external },
    build: {
      ssr: 'server/main.ts',
      outDir: 'dist/app',
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        // Flat, so that every file finds the sources at the same place.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', comments: false },
      },
    },
  })
}

/** Lets the bundle find the files that lie beside its sources, such as migrations. */
const filesBesideSources = (root: string): Plugin => ({
  name: 'files-beside-sources',
  transform(code, id) {
    const path = relative(root, id)
    if (!/^(server|shared)\//.test(path) || !code.includes('import.meta.dirname')) return null
    const directory = path.slice(0, path.lastIndexOf('/'))
    const replaced = code.replaceAll(
      'import.meta.dirname',
      `(import.meta.dirname + '/../../${directory}')`,
    )
    return { code: replaced, map: null }
  },
})
