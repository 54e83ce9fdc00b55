import { mkdir, readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { checkContent, refuseErrors } from './content-check.ts'
import { addContentImport, addContentPull } from './content-filling.ts'
import { copyContent, listContent } from './content-files.ts'
import * as options from './options.ts'
import type { Print } from './print.ts'
import type { UseConfig, UseContext } from './command.ts'

/** `content`: the files of the embedded content service. */
export function addContent(
  program: Command,
  {
    useConfig,
    useContext,
    env,
  }: { useConfig: UseConfig; useContext: UseContext; env: NodeJS.ProcessEnv },
  print: Print,
): void {
  const content = program.command('content').description('what the site shows')

  content
    .command('check [dir]')
    .description('look for mistakes in the content files (CONTENT_DIR)')
    .addOption(options.json())
    .action(async (dir: string | undefined, { json }: { json?: boolean }) => {
      const findings = await checkContent(dir ?? useConfig().contentDir)
      print.listing(findings, { json, none: 'The content is sound.' })
      refuseErrors(findings)
    })

  addContentImport(content, env, print)

  content
    .command('export <dir>')
    .description('copy the content files into an empty folder')
    .action(async (dir: string) => {
      const { contentDir } = useConfig()
      const to = resolve(dir)
      await mkdir(to, { recursive: true })
      if ((await readdir(to)).length > 0) throw new Error(`${dir} is not empty.`)
      const files = await listContent(contentDir)
      await copyContent(files, contentDir, to)
      print.line(`${files.length} file(s) copied to ${to}.`)
    })

  addContentPull(content, env, print)

  content
    .command('preview <slug>')
    .description('make a link that shows an article for an hour before everybody may see it')
    .addOption(options.json())
    .action(async (slug: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const visible = (await context.content.rows('news')).some((row) => row.slug === slug)
      if (!visible && !(await context.content.hidden('news', { slug }))) {
        throw new Error(`There is no article "${slug}".`)
      }
      const { previewLink } = await import('#server/news/preview.ts')
      const link = previewLink(context, slug)
      if (json) print.json(link)
      else print.line(link.url)
    })
}
