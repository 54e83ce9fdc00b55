import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { RendererBundle } from '#shared/rendering.ts'
import { assetsOf, sheetKey, type Manifest } from './build-manifest.ts'
import { bundleCli, bundleServer } from './build-server.ts'
import { buildState, parts, stampBuild } from './build-stamp.js'
import { dist } from './dist.ts'

const root = join(import.meta.dirname, '..')

/** One of the things that are built. */
type Part = (typeof parts)[number]

/**
 * Builds the pages (the bundles of the browser and the renderer, with every asset compressed once, at
 * the highest level), the server or the command line.
 * Vite is a development dependency, so it is loaded only here.
 */
async function build(part: Part): Promise<void> {
  const { build: bundle } = await import('vite')
  // React picks its production code by NODE_ENV while it is bundled.
  process.env.NODE_ENV = 'production'
  if (part === 'pages') {
    await bundle({ root, logLevel: 'warn' })
    await bundle({ root, logLevel: 'warn', build: { ssr: true } })
    await joinStyles()
    await compress(join(dist, 'client/assets'))
  } else if (part === 'server') {
    await bundleServer(bundle, root)
  } else {
    await bundleCli(bundle, root)
  }
  stampBuild(part)
}

/**
 * Builds what is not that of the sources as they are; for what runs the sources, such as tests.
 * @param report told what is built, or that nothing has to be
 * @param wanted what is needed; everything unless given
 * @throws when the build fails, which has said why on stderr
 */
export function buildIfMissing(
  report: (step: string) => void,
  wanted: readonly Part[] = parts,
): void {
  for (const part of wanted) {
    const state = buildState(part)
    if (state === 'current') {
      report(`The bundle of the ${part} is up to date.`)
      continue
    }
    report(
      state === 'missing'
        ? `No bundle of the ${part} yet: building…`
        : `The sources of the ${part} have changed: building…`,
    )
    execFileSync(process.execPath, [import.meta.filename, part], { stdio: ['ignore', 2, 2] })
  }
}

/**
 * Joins the styles of every kind of page into one file: a browser that asks for nine small ones
 * waits for most of them in turn before it paints.
 */
async function joinStyles(): Promise<void> {
  const read = (path: string) => readFileSync(join(dist, 'client', path), 'utf8')
  const { pageSources } = (await import(
    pathToFileURL(join(dist, 'server/entry-server.js')).href
  )) as Pick<RendererBundle<never>, 'pageSources'>
  const assets = assetsOf(JSON.parse(read('.vite/manifest.json')) as Manifest, {})
  const sheets: Record<string, string> = {}
  for (const source of pageSources) {
    const { styles } = assets(source)
    const sheet = styles.map(read).join('')
    const hash = createHash('sha256').update(sheet).digest('base64url').slice(0, 7)
    sheets[sheetKey(styles)] = `/assets/page-${hash}.css`
    writeFileSync(join(dist, `client/assets/page-${hash}.css`), sheet)
  }
  writeFileSync(join(dist, 'client/.vite/sheets.json'), JSON.stringify(sheets))
}

/** Writes `.br` and `.gz` beside each asset that gets smaller by it. */
async function compress(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => /\.(js|css|svg|json)$/.test(name))
  await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(directory, name))
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(bytes, {
          params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        }),
        promisify(gzip)(bytes, { level: 9 }),
      ])
      if (br.length < bytes.length) await writeFile(join(directory, `${name}.br`), br)
      if (gz.length < bytes.length) await writeFile(join(directory, `${name}.gz`), gz)
    }),
  )
}

if (import.meta.main) {
  // `npm run build` builds everything, `npm start` what has changed, and a test what it needs.
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { missing: { type: 'boolean', default: false } },
  })
  const wanted = parts.filter(
    (part) =>
      (positionals.length === 0 || positionals.includes(part)) &&
      (!values.missing || buildState(part) !== 'current'),
  )
  for (const part of wanted) await build(part)
}
