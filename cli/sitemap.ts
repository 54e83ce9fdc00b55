import type { Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import * as options from './common/options.ts'
import type { Print } from './common/print.ts'
import type { UseContext } from './common/command.ts'

/** `sitemap`: the list of pages for search engines. */
export function addSitemap(sitemap: Command, useContext: UseContext, print: Print): void {
  sitemap
    .command('build')
    .description('rebuild the sitemap in DATA_DIR now')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { config, features } = await useContext()
      // Throws where the address is not known; later it would only be a sitemap that cannot be made.
      void config.siteUrl
      const { generatedAt, urls } = await features.seo.generateSitemap({ force: true })
      if (json) print.json({ generatedAt, urls })
      else print.line(`${counted(urls, 'URL')} in the sitemap.`)
    })
}
