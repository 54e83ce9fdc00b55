import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentFiles, type ContentFiles } from './content-files.ts'
import { runCli } from './run-cli.ts'

/** Rows that are in {@link sound}. */
export const service = { id: 1, title: 'Photography', url: 'photography', image: 'car' }
/** An article of the sound content. */
export const article = (id: number, more: object = {}) => ({
  id,
  slug: `article-${id}`,
  title: `Article ${id}`,
  published_at: '2026-01-02T08:00:00Z',
  ...more,
})
/** A picture of one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

const media = [{ id: 'car', alt: 'A car' }]

/** Content files without a mistake. */
export const sound = () =>
  contentFiles({
    'services.json': [service],
    'news.json': [article(1, { image: 'car', content: { $file: 'news/a.html' } })],
    'news/a.html': '<p><a href="/services/photography">x</a><img src="/assets/car"></p>',
    'media.json': media,
    'assets/car.jpg': pixel,
  })

/** Its own state for the command line. */
export const dataDir = () => mkdtempSync(join(tmpdir(), 'pitlane-cli-'))

/** What `content check` finds in content files. */
export async function check(files: ContentFiles) {
  const { code, out } = await runCli(['content', 'check', '--json'], {
    dataDir: dataDir(),
    env: { CONTENT_DIR: files.dir },
  })
  return { code, findings: JSON.parse(out) as { file: string; row: string; problem: string }[] }
}
