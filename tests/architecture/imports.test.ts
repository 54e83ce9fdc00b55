import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Where a specifier of one of our own files leads, as a path below the root; null for packages. */
function target(from: string, specifier: string): string | null {
  const alias = /^#(shared|server|client|cli)\/(.*)$/.exec(specifier)
  if (alias) return join(alias[1]!, alias[2]!)
  if (!specifier.startsWith('.')) return null
  return relative(root, resolve(root, dirname(from), specifier))
}

const sources = ['shared', 'server', 'cli', 'client'].flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }),
)

/** What each file imports of ours, types included. */
const graph = new Map(
  sources.map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const specifiers = text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g,
    )
    const found = Array.from(specifiers, ([, a, b, c]) => target(file, (a ?? b ?? c)!))
    return [
      file,
      found.filter((path) => path !== null && /\.tsx?$/.test(path)) as string[],
    ] as const
  }),
)

/** The folder below server/ that a file is in; null for files beside them. */
const folderOf = (file: string) => /^server\/([\w-]+)\//.exec(file)?.[1] ?? null

/** A folder with a feature.ts is a feature. */
const isFeature = (folder: string) => existsSync(join(root, 'server', folder, 'feature.ts'))

const nouns = new Set(
  sources.map(folderOf).filter((folder) => folder !== null && isFeature(folder)),
)

/** The lists that put features together. */
const lists = new Set([
  'server/features.ts',
  'server/context.ts',
  'server/app.ts',
  'server/extra-content-files.ts',
])

/**
 * The room that checks and exchanges content files by what every noun says of its own; the command line
 * alone opens it.
 */
const isContentFiles = (file: string) => file.startsWith('server/content-files/')

/** Whether a file puts together what nouns give. */
const isList = (file: string) => lists.has(file) || isContentFiles(file)

/** The list of collections, for the content service: of each noun it knows how its rows look. */
const collectionList = 'server/collections.ts'
const isCollection = (file: string) => /^server\/[\w-]+\/collections?\.ts$/.test(file)

test('no feature imports another one, and the platform imports none', () => {
  const crossing = sources
    .filter((file) => file.startsWith('server/') && !isList(file))
    .flatMap((file) =>
      graph.get(file)!.flatMap((imported) => {
        const from = folderOf(file)
        const to = folderOf(imported)
        if (to === null || from === to || !nouns.has(to)) return []
        if (file === collectionList && isCollection(imported)) return []
        // What a feature gives to others is said by its feature.ts.
        if (imported === `server/${to}/feature.ts` && from !== null && nouns.has(from)) return []
        return [`${file} > ${imported}`]
      }),
    )
  expect(crossing).toEqual([])
})

/**
 * What of `shared/` knows no noun, so the platform may use it. A module that is not here belongs
 * to a noun, whatever its name is.
 */
const nounless = new Set(
  [
    'text/acts-in-words',
    'text/bytes',
    'text/counted',
    'dates/civil-dates',
    'content',
    'dates/date-format',
    'dates/durations',
    'endpoint',
    'failures',
    'folders/file-kind',
    'desk/lines',
    'desk/things',
    'forms/form',
    'forms/form-proof',
    'dates/helsinki-time',
    'images',
    'clients/panel-block',
    'paths',
    'rendering',
    'legal/retention',
    'dates/short-dates',
    'text/slug',
    'text/text',
    'folders/withheld',
    'text/word-search',
  ].map((name) => `shared/${name}.ts`),
)

/** Everything of `server/` that isn't a feature and no list. */
const platform = sources.filter(
  (file) => file.startsWith('server/') && !isList(file) && !nouns.has(folderOf(file)),
)

test('the platform imports only those files of shared that belong to no noun', () => {
  const wrong = platform.flatMap((file) =>
    graph
      .get(file)!
      .filter((imported) => imported.startsWith('shared/') && !nounless.has(imported))
      .map((imported) => `${file} > ${imported}`),
  )
  expect(wrong).toEqual([])
})

test('files of shared that belong to no noun import no noun, and are used by the platform', () => {
  const wrong = [...nounless].flatMap((file) =>
    graph
      .get(file)!
      .filter((imported) => !nounless.has(imported))
      .map((imported) => `${file} > ${imported}`),
  )
  expect(wrong).toEqual([])
  // Directly, or by another of them.
  const used = new Set([...platform, ...nounless].flatMap((file) => graph.get(file)!))
  expect([...nounless].filter((file) => !used.has(file))).toEqual([])
})

test('the context is known to the lists, and to those who open it', () => {
  const opens = new Set([...lists, 'server/main.ts'])
  const wrong = sources.filter(
    (file) =>
      file.startsWith('server/') &&
      !opens.has(file) &&
      !isContentFiles(file) &&
      graph.get(file)!.some((imported) => lists.has(imported)),
  )
  expect(wrong).toEqual([])
})

test('nothing imports in a circle, types included', () => {
  const state = new Map<string, 'open' | 'done'>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      circles.push([...path.slice(path.indexOf(file)), file].join(' > '))
      return
    }
    state.set(file, 'open')
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    state.set(file, 'done')
  }
  for (const file of sources) visit(file, [])
  expect(circles).toEqual([])
})

const folders: readonly [string, RegExp][] = [
  ['shared', /^shared\//],
  ['client', /^(?:client|shared)\//],
  ['server', /^(?:server|shared)\//],
  ['cli', /^(?:cli|server|shared)\//],
]

test.each(folders)('%s imports only what it may', (folder, allowed) => {
  const wrong = sources
    .filter((file) => file.startsWith(`${folder}/`))
    .flatMap((file) =>
      graph
        .get(file)!
        .filter((imported) => !allowed.test(imported))
        .map((imported) => `${file} > ${imported}`),
    )
  expect(wrong).toEqual([])
})

test('every import leads to a file, so that none escapes these rules', () => {
  const missing = sources.flatMap((file) =>
    graph
      .get(file)!
      .filter((imported) => !existsSync(join(root, imported)))
      .map((imported) => `${file} > ${imported}`),
  )
  expect(missing).toEqual([])
  // The graph is not empty by mistake.
  expect(graph.get('server/features.ts')).toContain('server/contact/feature.ts')
})
