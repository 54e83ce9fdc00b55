import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { contentFiles } from './content-files.ts'
import { startSite } from './site.ts'

/**
 * Starts the real site, pages included, with content of its own that goes when the site goes.
 * @param files contents by path, such as `news.json`
 */
export async function contentSite(files: Record<string, unknown>) {
  const content = contentFiles(files)
  const site = await startSite({
    env: { CONTENT_DIR: content.dir },
    renderer: await builtRenderer(dist),
  })
  return {
    ...site,
    [Symbol.asyncDispose]: async () => {
      await site[Symbol.asyncDispose]()
      content[Symbol.dispose]()
    },
  }
}
