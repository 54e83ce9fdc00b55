import { existsSync, renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { build, Plugin, Rolldown } from 'vite'

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
  'pino-pretty',
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
 * Bundles the command line into `dist/cli` in the same way, but for what makes it start sooner: fewer
 * files with shorter text, since it prints no stacks (docs/decisions/0073). It is built beside and put
 * in place whole, since another command may be starting.
 */
export async function bundleCli(bundle: typeof build, root: string): Promise<void> {
  const beside = `dist/cli-${process.pid}`
  await bundleSources(bundle, {
    root,
    main: 'cli/main.ts',
    outDir: beside,
    output: {
      codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: fileOf(root) }] },
      // Names of functions and classes stay, for errors that are told apart by them.
      minify: { compress: false, mangle: { keepNames: true }, codegen: true },
    },
  })
  const made = join(root, beside)
  const place = join(root, 'dist/cli')
  // Moved aside rather than removed at once, so that for one that is starting it's hardly ever missing.
  renameIfThere(place, `${made}-before`)
  try {
    renameSync(made, place)
  } catch (error) {
    // Another command has put the same there in this very moment.
    if (!existsSync(join(place, 'main.js'))) throw error
  } finally {
    for (const left of [made, `${made}-before`]) rmSync(left, { recursive: true, force: true })
  }
}

/** Another command may have moved it. */
function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (existsSync(from)) throw error
  }
}

/**
 * Puts what every command loads into one file, what the context loads beside it into another, and what
 * it shares with the modules of nouns into a third: a file costs as much as ten kilobytes of it.
 */
function fileOf(root: string): (id: string, graph: Rolldown.ChunkingContext) => string | null {
  let rooms: { start: Set<string>; nouns: Set<string>; context: Set<string> } | null = null
  return (id, graph) => {
    const reached = (from: readonly string[]) => {
      const found = new Set(from)
      for (const each of found)
        for (const next of graph.getModuleInfo(each)?.importedIds ?? []) found.add(next)
      return found
    }
    const nouns = join(root, 'cli/nouns.ts')
    rooms ??= {
      start: reached([join(root, 'cli/main.ts')]),
      nouns: reached(graph.getModuleInfo(nouns)?.dynamicallyImportedIds ?? []),
      context: reached(['server/config.ts', 'server/context.ts'].map((path) => join(root, path))),
    }
    if (rooms.start.has(id)) return 'start'
    if (!rooms.context.has(id)) return null
    return rooms.nouns.has(id) ? 'shared' : 'context'
  }
}

async function bundleSources(
  bundle: typeof build,
  {
    root,
    main,
    outDir,
    output,
  }: {
    root: string
    main: string
    outDir: string
    output?: Rolldown.OutputOptions
  },
): Promise<void> {
  await bundle({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [filesBesideSources(root), builtinsAsRequired, plainLetters],
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
          'server/orders/documents/pdf/pdf-worker.ts',
        ].map((path) => join(root, path)),
        // Flat, so every file finds the sources at the same place.
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          comments: false,
          ...output,
        },
      },
    },
  })
}

/**
 * Takes Node's own modules as code that requires them does: an `import` makes a second module for each,
 * and reads every name of it, some of which load more, such as Node's `fetch`. Together they took a
 * tenth of the time of a list.
 */
const builtinsAsRequired: Plugin = {
  name: 'builtins-as-required',
  renderChunk: (code) => ({
    code: code.replaceAll(
      /^import (?:(?:\* as )?([\w$]+))?(?:, )?(\{.*\})? from ["'](node:[\w/]+)["'];$/gm,
      (_, whole: string | undefined, names: string | undefined, id: string) =>
        [whole, names?.replaceAll(' as ', ': ')]
          .filter((taken) => taken !== undefined)
          .map((taken) => `const ${taken} = process.getBuiltinModule('${id}');`)
          .join(' '),
    ),
    map: null,
  }),
}

/**
 * Writes every character beyond ASCII as its escape. One of them makes Node decode a whole file and keep
 * it with two bytes for each character, and the longest has a few hundred.
 */
const plainLetters: Plugin = {
  name: 'plain-letters',
  // Once minified, which would write them out again.
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      // A backslash before such a character means the character itself.
      chunk.code = chunk.code.replaceAll(
        /(\\*)([^\0-\u007f])/g,
        (_all, slashes: string, letter: string) =>
          `${slashes.slice(slashes.length % 2)}\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    }
  },
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
