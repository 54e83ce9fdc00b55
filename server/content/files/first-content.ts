import { existsSync } from 'node:fs'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'

/** The sample content. */
const sample = join(import.meta.dirname, '../../../data/content')

/**
 * Copies the sample content to CONTENT_DIR if that is an empty place in DATA_DIR. From then on it is
 * the site's own and outlives its container image.
 */
export async function fillContentDir(
  { contentDir, contentIsOurs }: Pick<Config, 'contentDir' | 'contentIsOurs'>,
  log: Pick<Logger, 'info'>,
): Promise<void> {
  if (!contentIsOurs || existsSync(contentDir)) return
  const part = `${contentDir}.${process.pid}.part`
  await mkdir(dirname(contentDir), { recursive: true })
  await rm(part, { recursive: true, force: true })
  await cp(sample, part, { recursive: true })
  // Another process may have been first.
  await rename(part, contentDir).catch(() => rm(part, { recursive: true, force: true }))
  log.info({ contentDir }, 'sample content copied')
}
