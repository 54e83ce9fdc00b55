import { besideContent } from '#server/beside-content.ts'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { pino } from 'pino'
import { readConfig, type Config } from '#server/config.ts'
import { checkContent, refuseErrors, type Finding } from './content-check.ts'
import {
  compareContent,
  copyContent,
  goneContent,
  listContent,
  removeContent,
  type Change,
} from './content-files.ts'
import { keepForbidden } from './content-keep.ts'
import { pullContent, type Pulled } from './content-pull.ts'
import * as options from './options.ts'
import type { Print } from './print.ts'

/** `content import`: takes over a folder of content files. */
export function addContentImport(content: Command, env: NodeJS.ProcessEnv, print: Print): void {
  content
    .command('import <dir>')
    .description('check a folder of content files and copy it over CONTENT_DIR')
    .option('--dry-run', 'only say what would change')
    .addOption(options.json())
    .action(async (dir: string, { dryRun, json }: { dryRun?: boolean; json?: boolean }) => {
      const from = await contentFolder(dir)
      const findings = await checkContent(from)
      if (findings.some(({ level }) => level === 'error')) {
        print.listing(findings, { json, none: '' })
        refuseErrors(findings)
      }
      const config = readConfig(env, { fillsContent: true })
      const changes = (await compareContent(from, config.contentDir)).filter(
        ({ change }) => change !== 'same',
      )
      print.listing(changes, { json, none: 'Nothing would change.' })
      if (dryRun || changes.length === 0) return
      const backup = await install(from, changes, config)
      if (json) return
      print.line(`${changes.length} file(s) copied${backup}.`)
      for (const { file } of changes) {
        for (const { note } of besideContent) {
          const told = note?.(file)
          if (told) print.line(told)
        }
      }
    })
}

/** `content pull`: takes over what a Directus has. */
export function addContentPull(content: Command, env: NodeJS.ProcessEnv, print: Print): void {
  content
    .command('pull <url>')
    .description('copy a Directus into CONTENT_DIR; its token comes from CONTENT_TOKEN')
    .option('--dry-run', 'only say what would change')
    .addOption(options.json())
    .action(async (url: string, { dryRun, json }: { dryRun?: boolean; json?: boolean }) => {
      // The address is checked like the configured one, and the token is read with it.
      const config = readConfig({ ...env, CONTENT_URL: url, CONTENT_URL_FILE: '' })
      const folder = await mkdtemp(join(tmpdir(), 'pitlane-pull-'))
      try {
        const files = join(folder, 'files')
        await mkdir(files)
        const from = { ...config.content!, dataDir: join(folder, 'state') }
        const pulled = await pullContent(from, files, pino({ level: 'silent' }))
        if (pulled.rows === 0)
          throw new Error('The content service shows no rows; nothing is copied.')
        await keepForbidden(pulled.forbidden, config.contentDir, files)
        const findings = await checkContent(files)
        const changes = [
          ...(await compareContent(files, config.contentDir)).filter(
            ({ change }) => change !== 'same',
          ),
          ...(await goneContent(files, config.contentDir)),
        ]
        const sound = findings.every(({ level }) => level !== 'error')
        const idle = dryRun || changes.length === 0 || !sound
        const backup = idle ? '' : await install(files, changes, config)
        if (json) print.json({ ...pulled, changes, findings })
        else tellPulled(pulled, sound ? changes : null, findings, backup, print)
        refuseErrors(findings)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
}

/** Says for people what a pull brought. @param changes null when there are errors, which keep it from any */
function tellPulled(
  { rows, texts, assets, forbidden }: Pulled,
  changes: readonly Change[] | null,
  findings: readonly Finding[],
  backup: string,
  print: Print,
): void {
  if (changes) print.listing(changes, { none: 'Nothing would change.' })
  print.line(`${rows} row(s), ${texts} text(s), ${assets} file(s) read${backup}.`)
  if (forbidden.length > 0) {
    print.line(`Forbidden, or not there; what CONTENT_DIR has of it stays: ${forbidden.join(', ')}`)
  }
  if (findings.length > 0) print.listing(findings, { none: '' })
}

/** Brings changes to CONTENT_DIR, after a copy of what is there; says where that is. */
async function install(
  from: string,
  changes: readonly Change[],
  { contentDir, dataDir }: Config,
): Promise<string> {
  let kept = ''
  if (existsSync(contentDir)) {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
    const backup = join(dataDir, 'backups', `content-${stamp}`)
    await mkdir(backup, { recursive: true, mode: 0o700 })
    await copyContent(await listContent(contentDir), contentDir, backup)
    kept = `; what was there is kept in ${backup}`
  }
  const gone = changes.filter(({ change }) => change === 'removed').map(({ file }) => file)
  const files = changes.map(({ file }) => file).filter((file) => !gone.includes(file))
  await copyContent(files, from, contentDir)
  await removeContent(gone, contentDir)
  return kept
}

/** A folder that holds content, so that a mistyped name is not taken for an empty site. */
async function contentFolder(dir: string): Promise<string> {
  const from = resolve(dir)
  const files = existsSync(from) ? await listContent(from) : []
  if (files.length === 0) throw new Error(`${dir} holds no content files.`)
  return from
}
