import type { Content } from '../content/source.ts'
import { readAgency } from '../content/agency.ts'
import type { Platform } from '../feature.ts'
import { fallbackTimeout, type FileSet } from '../http/replies/cached-files.ts'
import type { OverviewLine, OverviewPart } from '../contributions/overview.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import { summary } from './summary.ts'
import { plain } from './text-files.ts'

const path = '/llms.txt'

/**
 * A site in Markdown for language models (llmstxt.org), from what all features say of themselves.
 * The public origin is asked for when the file is made: the command line may not know it.
 */
export function llmsFile({
  content,
  config,
  contributions,
  siteVersion,
}: Pick<Platform, 'content' | 'config' | 'contributions' | 'siteVersion'>): FileSet {
  /** @param ms how long content may take; what is late is left out */
  async function make(ms?: number) {
    const [head, ...parts] = await Promise.all([
      introduction(content, ms),
      ...contributions().overview.map((part) => linesOf(part, ms)),
    ])
    const byHeading = Map.groupBy(parts, ({ heading }) => heading)
    const body = Array.from(byHeading, ([heading, all]) => [
      `## ${heading}`,
      '',
      ...all.flatMap(({ lines }) => lines.map((line) => written(line, config.siteUrl))),
      '',
    ])
    return new Map([[path, plain([...head, ...body.flat()].join('\n'))]])
  }

  return {
    name: 'llms',
    paths: [path],
    version: () => String(siteVersion.version()),
    make: () => make(),
    fallback: () => make(fallbackTimeout),
  }
}

async function introduction(content: Pick<Content, 'rows'>, ms?: number): Promise<string[]> {
  const agency = await readAgency(content, ms)
  return [
    `# ${onOneLine(agency.brand)}`,
    '',
    `> ${onOneLine(summary(agency))}`,
    '',
    'All pages are public HTML in English. Service prices exclude VAT, shop prices include it. Enquiries are answered by the next working day in Finland.',
    '',
  ]
}

async function linesOf({ heading, read }: OverviewPart, ms?: number) {
  const reading = (async () => read())()
  const lines = await (ms === undefined ? reading : withTimeout(reading, ms)).catch(() => [])
  return { heading, lines }
}

function written({ text, path: to, about }: OverviewLine, siteUrl: string): string {
  const link = to === undefined ? onOneLine(text) : `[${onOneLine(text)}](${siteUrl}${to})`
  return `- ${link}${about ? `: ${onOneLine(about)}` : ''}`
}

/** A text on one line, with nothing that Markdown reads as a link. */
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/[[\]]/g, '').trim()
