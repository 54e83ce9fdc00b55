import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '../support/browser.ts'

/** What one run of Lighthouse says. Times in milliseconds, scores from 0 to 100. */
export type Measure = {
  lcp: number
  tbt: number
  cls: number
  scores: Record<string, number>
  /** What costs points. */
  faults: string[]
}

type Report = {
  categories: Record<
    string,
    { title: string; score: number | null; auditRefs: { id: string; weight: number }[] }
  >
  audits: Record<
    string,
    { title: string; score: number | null; displayValue?: string; numericValue?: number }
  >
}

/**
 * Runs Lighthouse on a page, as a phone.
 * @param tools where Lighthouse is installed
 * @param work a directory for its report
 * @throws when it does not come to an end within three minutes
 */
export async function measure(
  url: string,
  { tools, work }: { tools: string; work: string },
): Promise<Measure> {
  const output = join(work, 'report.json')
  const { executablePath, args = [] } = chromium()
  // Not synchronously: the site that is audited runs in this very process.
  await promisify(execFile)(
    process.execPath,
    [
      join(tools, 'node_modules/lighthouse/cli/index.js'),
      url,
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
  const { categories, audits } = JSON.parse(readFileSync(output, 'utf8')) as Report
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN
  const scored = Object.values(categories).filter(({ score }) => score !== null)
  return {
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    scores: Object.fromEntries(
      scored.map(({ title, score }) => [title, Math.round(score! * 100)] as const),
    ),
    faults: scored.flatMap(({ auditRefs }) =>
      auditRefs.flatMap(({ id, weight }) => {
        const audit = audits[id]
        const isLow = weight > 0 && audit && audit.score !== null && audit.score < 0.9
        return isLow ? [`${id}: ${audit.title} ${audit.displayValue ?? ''}`] : []
      }),
    ),
  }
}

/** The medians of several runs, each number by itself; the faults are those of most runs. */
export function medianOf(runs: readonly Measure[]): Measure {
  const all = runs.flatMap(({ faults }) => faults)
  return {
    lcp: median(runs.map(({ lcp }) => lcp)),
    tbt: median(runs.map(({ tbt }) => tbt)),
    cls: median(runs.map(({ cls }) => cls)),
    scores: Object.fromEntries(
      Object.keys(runs[0]!.scores).map((title) => [
        title,
        median(runs.map(({ scores }) => scores[title] ?? 0)),
      ]),
    ),
    faults: [...new Set(all)].filter(
      (fault) => all.filter((other) => other === fault).length > runs.length / 2,
    ),
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
