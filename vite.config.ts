import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
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
const chunks: Record<string, readonly string[]> = {
  // What every page needs; it also compresses best whole. Nothing with styles: the layers have to be in
  // order before any of them is filled. The last three are needed later, and are too small for files.
  common: [
    'shared/forms/result.ts',
    'shared/paths.ts',
    'client/site/head/head.tsx',
    'client/site/data/identity.ts',
    'client/site/use-on-demand.ts',
    'client/site/stored-value.ts',
    'client/site/errors/page-code.ts',
    'client/ui/icons.tsx',
    'client/ui/use-hydrated.ts',
    'client/forms/result.ts',
    'client/analytics/track.ts',
    'client/clients/login-keys.ts',
    'client/contact/has-unsent.ts',
  ],
  fields: ['client/forms/field.tsx', 'client/forms/error-summary.tsx', 'client/ui/alert.tsx'],
  checkbox: ['client/forms/checkbox.tsx'],
  sending: [
    'client/forms/honeypot.tsx',
    'client/forms/use-form.ts',
    'shared/contact/contact-form.ts',
    'shared/forms/form-proof.ts',
  ],
  steps: [
    'client/forms/robot-check.tsx',
    'client/forms/field-set.tsx',
    'client/ui/lists/steps.tsx',
  ],
  price: ['shared/money.ts', 'client/ui/text/price.tsx'],
  dates: [
    'shared/dates/date-format.ts',
    'shared/dates/durations.ts',
    'shared/dates/helsinki-date.ts',
    'shared/dates/helsinki-time.ts',
    'shared/dates/months.ts',
    'shared/dates/short-dates.ts',
    'shared/dates/zones.ts',
    'shared/bookings/limits.ts',
    'shared/bookings/page-texts.ts',
    'shared/bookings/sale-units.ts',
    'client/ui/text/day.tsx',
    'client/ui/lists/week-head.tsx',
  ],
  trail: ['client/ui/badge.tsx', 'client/ui/page/breadcrumbs.tsx'],
  share: [
    'shared/seo/share-image.ts',
    'shared/images.ts',
    'shared/seo/head-tags.ts',
    'shared/text/slashes.ts',
  ],
  // What counts a visit, after the page.
  counting: [
    'client/analytics/count.ts',
    'client/consent/current.ts',
    'shared/analytics/page-kinds.ts',
    'shared/analytics/visit-source.ts',
    'shared/consent/consent.ts',
  ],
  // What every first visitor is asked.
  consent: ['client/ui/close-by-backdrop.ts', 'shared/consent/consent-texts.ts'],
  shop: [
    'client/shop/view.ts',
    'shared/shop/delivery-words.ts',
    'shared/shop/limits.ts',
    'shared/shop/order-limits.ts',
  ],
  picture: ['client/site/head/structured-data.tsx', 'client/ui/pictures/picture.tsx'],
  // What pages behind a code know of who is signed in, and of what was typed there.
  session: [
    'client/clients/signing.ts',
    'client/clients/use-session-page.ts',
    'client/desk/things/typed-storage.ts',
  ],
  lists: ['client/ui/lists/pager.tsx', 'client/ui/page/empty-state.tsx'],
  gallery: [
    'client/folders/format.ts',
    'client/folders/favourites/use-selection.ts',
    'client/folders/gallery/ratio.ts',
    'client/folders/gallery/tile.tsx',
    'client/ui/download-link.tsx',
    'client/ui/text/last-day.tsx',
    'shared/folders/folder-numbers.ts',
    'shared/folders/withheld.ts',
    'shared/text/bytes.ts',
  ],
}

/** A module's path below the root, without what follows its name, as its styles have the same. */
const pathOf = (id: string) =>
  relative(import.meta.dirname, id.split('?')[0]).replace(/\.(?:tsx?|module\.css)$/, '')

const chunkGroups = Object.entries(chunks).map(([name, files]) => {
  const paths = new Set(files.map((file) => pathOf(join(import.meta.dirname, file))))
  return {
    name,
    test: (id: string) =>
      paths.has(pathOf(id)) ||
      (name === 'common' && /node_modules\/(?:react|react-dom|react-router|scheduler)\//.test(id)),
  }
})

/** Says when a file of {@link chunks} has been moved: its group would lose it without a word. */
const chunksAreThere: Plugin = {
  name: 'chunks-are-there',
  apply: 'build',
  buildStart() {
    for (const file of Object.values(chunks).flat()) {
      if (!existsSync(join(import.meta.dirname, file))) {
        this.error(`vite.config.ts wants ${file} in a chunk, and there is no such file.`)
      }
    }
  },
}

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
  plugins: [react(), inlineScripts, pageChunks, chunksAreThere],
  publicDir: false,
  appType: 'custom',
  css: {
    transformer: 'lightningcss',
    // As cssTarget below, which Vite hands to the last of two steps alone; major, minor and patch in a
    // byte each.
    lightningcss: {
      targets: {
        chrome: 125 << 16,
        firefox: 126 << 16,
        safari: (17 << 16) | (5 << 8),
        ios_saf: (17 << 16) | (5 << 8),
      },
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
          treeshake: {
            propertyReadSideEffects: false,
            // What is shared only declares: a chunk that uses nothing of a file need not ask for it.
            moduleSideEffects: [{ test: /\/shared\/.*\.ts$/, sideEffects: false }],
          },
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
