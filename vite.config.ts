import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin, type Rolldown } from 'vite'

/**
 * Names of styles stand in every visitor's first load, and random letters do not compress. Those of
 * fonts tell plain pages (server/http/replies/plain-page.ts) which is which.
 */
const assetFileNames = ({ names }: { names: readonly string[] }) =>
  names.some((name) => name.endsWith('.css'))
    ? 'assets/[hash:7][extname]'
    : 'assets/[name]-[hash:7][extname]'

/**
 * What is one file although not every page needs all of it: each file costs a phone ten milliseconds of
 * its main thread, and its own beginning and end in bytes. A group takes along whatever its modules
 * import, so what they share with the entry stands in the first. `first-load.test.ts` holds each page to
 * its bytes, of styles too: whatever has styles brings those of its group to every page that needs one.
 */
const chunkGroups = [
  {
    // What every page needs; it also compresses best whole. Nothing with styles: the layers have to be in
    // order before any of them is filled. The last three are needed later, and are too small for files.
    name: 'common',
    test: new RegExp(
      [
        /node_modules\/(?:react|react-dom|react-router|scheduler)\//,
        /rolldown\/runtime/,
        /shared\/(?:slashes|paths|result)\.ts$/,
        /client\/site\/(?:head\/head\.tsx|data\/identity\.ts|use-on-demand\.ts|stored-value\.ts|errors\/page-code\.ts)$/,
        /client\/(?:ui\/icons\.tsx|ui\/use-hydrated\.ts|forms\/result\.ts)$/,
        /client\/(?:analytics\/track|clients\/login-keys|contact\/has-unsent)\.ts$/,
      ]
        .map(({ source }) => source)
        .join('|'),
    ),
  },
  {
    name: 'fields',
    test: /\/client\/(?:forms\/(?:field|error-summary)|ui\/alert)\.(?:tsx|module\.css)/,
  },
  { name: 'checkbox', test: /\/client\/forms\/checkbox\.(?:tsx|module\.css)/ },
  {
    name: 'sending',
    test: /\/client\/forms\/(?:honeypot\.(?:tsx|module\.css)|use-form\.ts)|\/shared\/(?:contact-limits|form-proof)\.ts$/,
  },
  {
    name: 'steps',
    test: /\/client\/(?:forms\/(?:robot-check|field-set)|ui\/lists\/steps)\.(?:tsx|module\.css)/,
  },
  { name: 'price', test: /\/shared\/money\.ts$|\/client\/ui\/text\/price\.(?:tsx|module\.css)/ },
  {
    name: 'dates',
    test: /\/shared\/(?:booking-limits|date-format|durations|helsinki-date|helsinki-time|months|sale-units|short-dates|zones)\.ts$|\/client\/ui\/(?:text\/day|lists\/week-head)\.tsx$/,
  },
  { name: 'trail', test: /\/client\/ui\/(?:badge|page\/breadcrumbs)\.(?:tsx|module\.css)/ },
  { name: 'share', test: /\/shared\/(?:share-image|images|head-tags)\.ts$/ },
  {
    // What counts a visit, after the page.
    name: 'counting',
    test: /\/client\/(?:analytics\/count|consent\/current)\.ts$|\/shared\/(?:page-kinds|visit-source|consent)\.ts$/,
  },
  { name: 'shop', test: /\/shared\/(?:shop-limits|order-limits)\.ts$/ },
]

/** Minifying is most of a build, which nobody needs to hear each time. */
const checks = { bundlerTimings: false }

/** Plugins of the browser's bundle alone, where every byte counts. */
const forBrowsers = {
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
} satisfies Partial<Plugin>

/**
 * Makes sure that the chunk of a page exports what its module does, by the same names: the document
 * names the chunk, and `client/entry-client.tsx` imports it by that address.
 */
const pageChunks: Plugin = {
  name: 'page-chunks',
  ...forBrowsers,
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !chunk.isDynamicEntry) continue
      const isPage = /\/client\/(?:[\w-]+\/)+(?:[\w-]+-)?page\.tsx$/.test(
        chunk.facadeModuleId ?? '',
      )
      if (isPage && !chunk.exports.includes('Component')) {
        this.error(`The chunk of ${chunk.facadeModuleId} does not export its Component.`)
      }
    }
  },
}

/**
 * Gives `import code from './x.ts?inline-script'` the text of that script: bundled, minified, and in
 * a function of its own, for the document itself.
 */
export const inlineScripts: Plugin = {
  name: 'inline-scripts',
  enforce: 'pre',
  load: {
    filter: { id: /\?inline-script$/ },
    async handler(id) {
      const bundled = await build({
        configFile: false,
        logLevel: 'warn',
        build: {
          write: false,
          target: 'es2022',
          modulePreload: false,
          rolldownOptions: { input: id.slice(0, id.indexOf('?')), output: { format: 'iife' } },
        },
      })
      const [script] = (bundled as Rolldown.RolldownOutput).output
      for (const source of script.moduleIds) this.addWatchFile(source)
      return `export default ${JSON.stringify(script.code.trim())}`
    },
  },
}

/** One config for both bundles: `vite build` for the browser, `vite build --ssr` for the server. */
export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [react(), inlineScripts, pageChunks],
  publicDir: false,
  appType: 'custom',
  css: {
    transformer: 'lightningcss',
    // As cssTarget below, which Vite hands to the last of two steps alone; major, minor and patch in a
    // byte each.
    lightningcss: {
      targets: { chrome: 125 << 16, firefox: 126 << 16, safari: (17 << 16) | (5 << 8) },
    },
  },
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    manifest: !isSsrBuild,
    license: !isSsrBuild,
    target: 'es2022',
    // Widely available by the end of 2026 (https://web.dev/baseline): for older ones styles would carry
    // a stand-in for light-dark(), which none of them uses.
    cssTarget: ['chrome125', 'edge125', 'firefox126', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A chunk names the styles it needs; its own imports follow fast enough, and a list of them
      // would be in every visitor's first load.
      resolveDependencies: (_: string, dependencies: string[]) =>
        dependencies.filter((file) => file.endsWith('.css')),
    },
    // One per cent smaller than with Vite's own minifier: what the booking form's budget lacks.
    minify: isSsrBuild ? false : 'terser',
    terserOptions: {
      module: true,
      // The licences of what is bundled stand in dist/client/.vite/license.md instead.
      format: { comments: false },
      ecma: 2022,
      compress: {
        passes: 3,
        ecma: 2022,
        pure_getters: true,
        unsafe_arrows: true,
        unsafe_methods: true,
        keep_fargs: false,
        // Larger before it is compressed, and smaller after.
        inline: 0,
      },
    },
    rolldownOptions: isSsrBuild
      ? {
          checks,
          input: 'client/entry-server.tsx',
          // The renderer names the same fonts as the browser's build.
          output: { assetFileNames },
        }
      : {
          checks,
          input: 'client/entry-client.tsx',
          // Reading an export of React does nothing, so that those that nobody reads can go.
          treeshake: { propertyReadSideEffects: false },
          // Names of chunks stand in every visitor's first load, and random letters do not compress.
          output: {
            chunkFileNames: 'assets/[hash:7].js',
            // Chromium compiles it whole, beside the page, while it arrives: most of it runs at once,
            // and compiled function by function it halts the page for twice as long. Elsewhere it is
            // a comment (https://v8.dev/blog/explicit-compile-hints).
            postBanner: ({ name }) => (name === 'common' ? '//# allFunctionsCalledOnLoad' : ''),
            assetFileNames,
            codeSplitting: { groups: chunkGroups },
          },
        },
  },
  // The built renderer carries its React: one production copy, whatever NODE_ENV says at run time.
  ssr: { noExternal: command === 'build' || [] },
  ...(isSsrBuild && { define: { 'process.env.NODE_ENV': '"production"' } }),
}))
