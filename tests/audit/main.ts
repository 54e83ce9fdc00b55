import { execFileSync, execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtRenderer } from '#server/renderer.ts'
import { buildIfMissing } from '#server/build.ts'
import { dist } from '#server/dist.ts'
import { chromium } from '../support/browser.ts'
import { publicPages } from '../support/public-pages.ts'
import { paths } from '#shared/paths.ts'
import { shopper } from '../support/shop.ts'
import { startSite } from '../support/site.ts'

/**
 * `npm run audit`: Lighthouse on a phone, and the Nu HTML checker, on the site's public pages.
 * Both are large and are installed apart, when they are first needed; they are no dependencies.
 * `npm run audit -- /news /portfolio` audits those pages alone.
 */
const tools = join(import.meta.dirname, '../../node_modules/.cache/audit')
const versions = ['lighthouse@13.5.0', 'vnu-jar@26.9.27']

execFileSync('npm', ['install', '--prefix', tools, '--no-save', '--silent', ...versions], {
  stdio: 'inherit',
})
buildIfMissing(console.log)
const work = mkdtempSync(join(tmpdir(), 'pitlane-audit-'))
const site = await startSite({ renderer: await builtRenderer(dist), clock: liveClock() })
try {
  const asked = process.argv.slice(2)
  const pages = asked.length > 0 ? asked : await publicPages(site.url)
  const forms = asked.length > 0 ? [] : await filledForms()
  const errors = checkHtml([...(await htmlOf(pages)), ...forms])
  let low = 0
  for (const page of pages) if (!(await auditUntilPerfect(page))) low += 1
  console.log(
    `\n${pages.length} pages: ${low} below 100 somewhere, ${errors ?? 'unchecked'} HTML errors`,
  )
  process.exitCode = low > 0 || (errors ?? 0) > 0 ? 1 : 0
} finally {
  await site[Symbol.asyncDispose]()
  rmSync(work, { recursive: true, force: true })
}

/** A stall of the machine is not the page's fault: what is below 100 is looked at up to three times. */
async function auditUntilPerfect(path: string): Promise<boolean> {
  for (let times = 0; times < 3; times += 1) {
    try {
      if (await auditPage(path)) return true
    } catch (error) {
      console.log(`\n${path}: ${String(error).split('\n').slice(0, 2).join(' ')}`)
    }
  }
  return false
}

/** Runs Lighthouse and prints every category; true when each is 100. */
async function auditPage(path: string): Promise<boolean> {
  const output = join(work, 'report.json')
  const { executablePath, args = [] } = chromium({ window: true })
  // Not synchronously: the site that is audited runs in this very process.
  await promisify(execFile)(
    process.execPath,
    [
      join(tools, 'node_modules/lighthouse/cli/index.js'),
      site.url + path,
      '--quiet',
      '--output=json',
      `--output-path=${output}`,
      `--chrome-flags=--headless=new ${args.join(' ')}`,
    ],
    {
      env: { ...process.env, ...(executablePath && { CHROME_PATH: executablePath }) },
      timeout: 180_000,
    },
  )
  const report = JSON.parse(readFileSync(output, 'utf8')) as {
    categories: Record<
      string,
      { title: string; score: number | null; auditRefs: { id: string; weight: number }[] }
    >
    audits: Record<
      string,
      { title: string; score: number | null; displayValue?: string; scoreDisplayMode: string }
    >
  }
  const metrics = ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']
    .map((id) => `${id} ${report.audits[id]?.displayValue ?? '?'}`)
    .join(', ')
  console.log(`\n${path}: ${metrics}`)
  let perfect = true
  for (const { title, score, auditRefs } of Object.values(report.categories)) {
    if (score === null) continue
    console.log(`  ${String(Math.round(score * 100)).padStart(3)} ${title}`)
    if (score < 1) perfect = false
    for (const { id, weight } of auditRefs) {
      const audit = report.audits[id]
      if (weight > 0 && audit && audit.score !== null && audit.score < 0.9) {
        console.log(`      ${id}: ${audit.title} ${audit.displayValue ?? ''}`)
      }
    }
  }
  return perfect
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
