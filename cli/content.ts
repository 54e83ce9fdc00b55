import type { Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import { readConfig } from '#server/config.ts'
import type { Imported, PulledContent } from '#server/content-files/acts.ts'
import * as options from './common/options.ts'
import type { Print } from './common/print.ts'
import type { UseConfig, UseContext } from './common/command.ts'

/** Loaded only when a command needs it, so the others start at once. */
const load = () => import('#server/content-files/acts.ts')

/** `content`: the files of the embedded content service. None but `preview` opens the database. */
export function addContent(
  content: Command,
  {
    useConfig,
    useContext,
    env,
  }: { useConfig: UseConfig; useContext: UseContext; env: NodeJS.ProcessEnv },
  print: Print,
): void {
  content
    .command('check [dir]')
    .description('validate a folder, CONTENT_DIR, or the content at CONTENT_URL')
    .addOption(options.json())
    .action(async (dir: string | undefined, { json }: { json?: boolean }) => {
      // A folder is checked by itself, whatever the site reads.
      const { checkSite, contentFolder } = await load()
      const site =
        dir === undefined ? useConfig() : { content: null, contentDir: await contentFolder(dir) }
      const findings = await checkSite(site)
      print.listing(findings, { json, none: 'Content OK.' })
      refuseErrors(findings)
    })

  addImport(content, env, print)

  content
    .command('export <dir>')
    .description('export the content files to an empty folder')
    .action(async (dir: string) => {
      const { count, to } = await (await load()).exportContent(dir, useConfig())
      print.line(`${counted(count, 'file')} copied to ${to}.`)
    })

  addPull(content, env, print)

  content
    .command('preview <slug>')
    .description('create a one-hour preview link')
    .addOption(options.json())
    .action(async (slug: string, { json }: { json?: boolean }) => {
      const link = await (await useContext()).features.news.previewLink(slug)
      if (json) print.json(link)
      else print.line(link.url)
    })
}

type TakeOver = { dryRun?: boolean; by: string; json?: boolean }

/** `content import`: takes over a folder of content files. */
function addImport(content: Command, env: NodeJS.ProcessEnv, print: Print): void {
  content
    .command('import <dir>')
    .description('validate a folder of content files and copy it into CONTENT_DIR')
    .addOption(options.rehearse())
    .addOption(options.by())
    .addOption(options.json())
    .action(async (dir: string, { dryRun, by, json }: TakeOver) => {
      const { importContent, hasErrors } = await load()
      const config = () => readConfig(env, { fillsContent: true })
      const imported = await importContent(dir, config, { rehearse: dryRun ?? false, by })
      const { findings, changes, isDone, notes } = imported
      if (hasErrors(findings)) {
        print.listing(findings, { json, none: '' })
        refuseErrors(findings)
      }
      print.listing(changes, { json, none: 'No changes.' })
      if (dryRun && !json) print.line(options.dryRun('import them', 'without --dry-run'))
      if (!isDone || json) return
      print.line(`${counted(changes.length, 'file')} copied${backupText(imported)}.`)
      for (const note of notes) print.line(note)
    })
}

/** `content pull`: takes over what a Directus has. */
function addPull(content: Command, env: NodeJS.ProcessEnv, print: Print): void {
  content
    .command('pull <url>')
    .description('copy a Directus into CONTENT_DIR; its token comes from CONTENT_TOKEN')
    .addOption(options.rehearse())
    .addOption(options.by())
    .addOption(options.json())
    .action(async (url: string, { dryRun, by, json }: TakeOver) => {
      // The address is checked like the configured one, and the token is read with it.
      const config = readConfig({ ...env, CONTENT_URL: url, CONTENT_URL_FILE: '' })
      const { pullIntoContent, hasErrors } = await load()
      const brought = await pullIntoContent(config, { rehearse: dryRun ?? false, by })
      const { pulled, changes, findings } = brought
      if (json) print.json({ ...pulled, changes, findings })
      else printPulled(brought, { isSound: !hasErrors(findings) }, print)
      if (dryRun && !json) print.line(options.dryRun('copy them', 'without --dry-run'))
      refuseErrors(findings)
    })
}

/** Says for people what a pull brought. @param options `isSound` when no error keeps it from being used */
function printPulled(
  brought: PulledContent,
  { isSound }: { isSound: boolean },
  print: Print,
): void {
  const { pulled, changes, findings } = brought
  if (isSound) print.listing(changes, { none: 'No changes.' })
  const { rows, texts, assets, forbidden } = pulled
  print.line(
    `${counted(rows, 'row')}, ${counted(texts, 'text')}, ${counted(assets, 'file')} read${backupText(brought)}.`,
  )
  if (forbidden.length > 0) {
    print.line(`Missing or not readable, kept as in CONTENT_DIR: ${forbidden.join(', ')}`)
  }
  if (findings.length > 0) print.listing(findings, { none: '' })
}

const backupText = ({ backup }: Pick<Imported, 'backup'>): string =>
  backup === null ? '' : `; previous files are in ${backup}`

/** @throws when there are errors among the findings */
function refuseErrors(findings: Imported['findings']): void {
  const errors = findings.filter(({ level }) => level === 'error').length
  if (errors > 0) throw new Error(`${counted(errors, 'error')} in the content.`)
}
