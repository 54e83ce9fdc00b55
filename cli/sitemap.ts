import type { Command } from 'commander'
import * as options from './options.ts'
import type { Print } from './print.ts'
import type { UseContext } from './command.ts'

/** `sitemap`: the list of pages for search engines. */
export function addSitemap(program: Command, useContext: UseContext, print: Print): void {
  program
    .command('sitemap')
    .description('the list of pages for search engines')
    .command('build')
    .description('make the sitemap now and keep it in DATA_DIR')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { config, features } = await useContext()
      // Throws where the address is not known; later it would only be a sitemap that cannot be made.
      void config.siteUrl
      const { generatedAt, urls } = await features.seo.generateSitemap({ force: true })
      if (json) print.json({ generatedAt, urls })
      else print.line(`${urls} address(es), made at ${generatedAt}.`)
    })
}
