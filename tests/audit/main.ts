import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtRenderer } from '#server/renderer.ts'
import { buildIfMissing } from '#server/build.ts'
import { dist } from '#server/dist.ts'
import { publicPages } from '../support/public-pages.ts'
import { paths } from '#shared/paths.ts'
import { share } from '../support/shared-folder.ts'
import { shopper } from '../support/shop.ts'
import { startSite } from '../support/site.ts'
import { measure, medianOf, type Measure } from './lighthouse.ts'
import { startPlainSite } from './plain-site.ts'

/**
 * `npm run audit`: Lighthouse on a phone, and the Nu HTML checker, on the site's public pages.
 * Both are large and are installed apart, when they are first needed; they aren't dependencies.
 * Each page is measured five times, in turn with the others and with a plain React page that has its
 * own content, and judged by its medians (docs/decisions/0082-the-audit-and-films.md).
 * `npm run audit -- /news gallery` audits that page and a client's gallery alone.
 */
const tools = join(import.meta.dirname, '../../node_modules/.cache/audit')
/** How often each page is measured. */
const rounds = 5
/** How often a page is read to see all the pictures that it may begin with. */
const draws = 20
/** Milliseconds until the largest thing in sight is painted. */
const maxLcp = 1_500
/** How many times as long as the plain page one of ours may block the main thread. */
const maxTbt = 1.5
const versions = ['lighthouse@13.5.0', 'vnu-jar@26.9.27']

execFileSync('npm', ['install', '--prefix', tools, '--no-save', '--silent', ...versions], {
  stdio: 'inherit',
})
buildIfMissing(console.log)
const work = mkdtempSync(join(tmpdir(), 'pitlane-audit-'))
const site = await startSite({ renderer: await builtRenderer(dist), clock: liveClock() })
try {
  const asked = process.argv.slice(2)
  const gallery = asked.length === 0 || asked.includes('gallery') ? [await sharedGallery()] : []
  const open =
    asked.length > 0 ? asked.filter((path) => path !== 'gallery') : await publicPages(site.url)
  const pages = [...open, ...gallery]
  const forms = asked.length > 0 ? [] : await filledForms()
  const errors = checkHtml([...(await htmlOf(pages)), ...forms])
  await makePictures(pages)
  const low = await auditAll(pages)
  console.log(
    `\n${pages.length} pages: ${low} beyond a limit, ${errors ?? 'unchecked'} HTML errors`,
  )
  process.exitCode = low > 0 || (errors ?? 0) > 0 ? 1 : 0
} finally {
  await site[Symbol.asyncDispose]()
  rmSync(work, { recursive: true, force: true })
}

/**
 * Measures all pages in rounds, each beside a plain React page with its content, so that what slows the
 * machine slows both.
 * @returns how many are beyond a limit
 */
async function auditAll(pages: readonly string[]): Promise<number> {
  await using plainSites = new AsyncDisposableStack()
  const runs: { path: string; url: string; plainUrl: string; ours: Measure[]; plain: Measure[] }[] =
    []
  for (const path of pages) {
    const url = site.url + path
    const plain = plainSites.use(await startPlainSite(url))
    runs.push({ path, url, plainUrl: plain.url, ours: [], plain: [] })
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const run of runs) {
      run.plain.push(await measured(run.plainUrl))
      run.ours.push(await measured(run.url))
    }
    console.log(`Round ${round + 1} of ${rounds} is measured.`)
  }
  let low = 0
  for (const { path, ...run } of runs) {
    const [ours, plain] = [medianOf(run.ours), medianOf(run.plain)]
    const beyond = limitsBroken(ours, plain, { isIndexed: !path.startsWith('/s/') })
    if (beyond.length > 0) low += 1
    console.log(`\n${path}: ${inWords(ours)}`)
    console.log(`  as a plain React page: ${inWords(plain)}`)
    for (const [title, score] of Object.entries(ours.scores)) {
      console.log(`  ${String(score).padStart(3)} ${title}`)
    }
    for (const line of [...beyond, ...ours.faults]) console.log(`      ${line}`)
  }
  return low
}

/** One measurement; a run in which the browser failed has measured nothing, and is done again. */
async function measured(url: string): Promise<Measure> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await measure(url, { tools, work })
    } catch (error) {
      if (tries === 3) throw error
      console.log(`${url}: ${String(error).split('\n').slice(0, 2).join(' ')}`)
    }
  }
}

/** What a page may take at most, beside the plain page of the same run. */
function limitsBroken(
  { lcp, tbt, cls, scores }: Measure,
  plain: Pick<Measure, 'lcp' | 'tbt'>,
  { isIndexed }: { isIndexed: boolean },
): string[] {
  return [
    lcp > maxLcp && `LCP above ${maxLcp} ms`,
    lcp > plain.lcp && 'LCP above that of the plain page',
    tbt > maxTbt * plain.tbt && `TBT above ${maxTbt} times that of the plain page`,
    cls > 0 && 'CLS above 0',
    ...Object.entries(scores)
      // Lighthouse takes points from a page that search engines are asked to leave alone.
      .filter(([title]) => isIndexed || title !== 'SEO')
      .map(([title, score]) => score < 100 && `${title} below 100`),
  ].filter((line) => line !== false)
}

function inWords({ lcp, tbt, cls }: Measure): string {
  return `LCP ${Math.round(lcp)} ms, TBT ${Math.round(tbt)} ms, CLS ${cls.toFixed(3)}`
}

/**
 * Lets the site make the pictures that a phone asks for, as it does in the minute after its first start;
 * made while a page is measured, they would be what is measured. A page may draw another picture each
 * time.
 */
async function makePictures(pages: readonly string[]): Promise<void> {
  const headers = { Accept: 'image/avif,image/webp,*/*' }
  const sets = new Set<string>()
  for (const path of pages) {
    for (let draw = 0; draw < draws; draw += 1) {
      const html = await (await fetch(site.url + path)).text()
      const found = html.matchAll(
        /\/assets\/[^" ,]+ (?:320|480|640|750|828)w|\/s\/[\w-]+\/(?:cover|thumb)\/[^" ,]+/g,
      )
      for (const [set] of found) sets.add(set.split(' ')[0]!.replaceAll('&amp;', '&'))
    }
  }
  for (const address of sets) {
    const picture = await fetch(site.url + address, { headers })
    await picture.arrayBuffer()
  }
}

/** Shares eight of the site's own pictures, as staff do. @returns the path of their gallery */
async function sharedGallery(): Promise<string> {
  const pictures = join(import.meta.dirname, '../../data/content/assets')
  const names = globSync('*.jpg', { cwd: pictures })
    .filter((name) => !/^(?:initials|shop|og)-/.test(name))
    .toSorted()
    .slice(0, 8)
  const files = names.map((name) => [name, readFileSync(join(pictures, name))] as const)
  const { key } = await share(site, 'audit', Object.fromEntries(files))
  return paths.folder(key)
}

async function htmlOf(pages: readonly string[]): Promise<string[]> {
  return Promise.all(
    pages.map(async (path, index) => {
      const file = join(work, `${index}${path.replaceAll(/\W+/g, '-')}.html`)
      writeFileSync(file, await (await fetch(site.url + path)).text())
      return file
    }),
  )
}

/** The cart and the checkout as a visitor with something to post, and with a file alone, sees them. */
async function filledForms(): Promise<string[]> {
  const filled = async (handle: string, variant: string) => {
    const visitor = shopper(site)
    await visitor.put(handle, variant, 1)
    return Promise.all(
      [paths.cart(), paths.checkout()].map(async (path) => {
        const file = join(work, `${variant}${path.replaceAll(/\W+/g, '-')}.html`)
        writeFileSync(file, (await visitor.get(path)).text)
        return file
      }),
    )
  }
  return [
    ...(await filled('blue-hour-fine-art-print', '30x40-matte')),
    ...(await filled('winter-wallpapers', 'personal')),
  ]
}

/** Runs the Nu HTML checker; how many errors it found, or null where there is no Java to run it. */
function checkHtml(files: readonly string[]): number | null {
  if (spawnSync('java', ['-version']).status !== 0) {
    console.log('The Nu HTML checker needs Java, which is not here: HTML is not checked.')
    return null
  }
  const jar = join(tools, 'node_modules/vnu-jar/build/dist/vnu.jar')
  const run = spawnSync('java', ['-jar', jar, '--format', 'json', '--errors-only', ...files], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const { messages } = JSON.parse(run.stderr || '{"messages":[]}') as {
    messages: { url: string; lastLine: number; message: string }[]
  }
  for (const { url, lastLine, message } of messages) {
    console.log(`${url.split('/').at(-1)}:${lastLine} ${message}`)
  }
  return messages.length
}

/** The audit looks at the site of today, not at the standing clock of the tests. */
function liveClock() {
  return Object.assign(Date.now, { advance() {} })
}
