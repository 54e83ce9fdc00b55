import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { counted } from '#shared/text/counted.ts'
import { extraContentFiles } from '../extra-content-files.ts'
import { collections, definitionOf } from '../collections.ts'
import type { Config } from '../config.ts'
import { checkContent, type Finding } from './check.ts'
import {
  compareContent,
  copyContent,
  goneContent,
  listContent,
  removeContent,
  type Change,
} from './files.ts'
import { copyWithheld } from './keep.ts'
import { addWords, pullContent, type Pulled } from './pull.ts'
import { recordLater } from '../timeline/later.ts'
import { siteAct } from '../timeline/timeline.ts'

const silent = pino({ level: 'silent' })

/** Whether findings keep content from being used. */
export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some(({ level }) => level === 'error')

/**
 * Checks what the site reads: the files of CONTENT_DIR, or what a Directus answers as if it were files.
 * @throws when the Directus does not answer
 */
export async function checkSite({
  content: directus,
  contentDir,
}: Pick<Config, 'content' | 'contentDir'>): Promise<Finding[]> {
  if (!directus) return checkContent(contentDir)
  return inFolder('check', async (files, dataDir) => {
    const { pulled, words } = await pullContent({ ...directus, dataDir }, files, silent, {
      isCheck: true,
    })
    await addWords(files, words)
    const refused = collections
      .filter((name) => pulled.forbidden.includes(name) && !definitionOf(name).optional)
      .map((name): Finding => {
        const problem = 'collection missing from the content service, or not readable'
        return { level: 'error', file: `${name}.json`, row: null, field: null, problem }
      })
    return [...refused, ...(await checkContent(files, { hasPictures: false }))]
  })
}

/** What an import found, and did. */
export type Imported = {
  /** Errors among them keep everything as it is. */
  findings: readonly Finding[]
  changes: readonly Change[]
  /** Where the files are that were there before; null when nothing was there, or nothing was done. */
  backup: string | null
  isDone: boolean
  /** What staff should know who have replaced these files. */
  notes: readonly string[]
}

/**
 * Takes over a folder of content files, when nothing is wrong with it.
 * @param options `rehearse` only says what would change; `by` is who does it, for the timeline
 * @throws when the folder has no content files
 */
export async function importContent(
  dir: string,
  config: () => Pick<Config, 'contentDir' | 'dataDir'>,
  { rehearse, by }: { rehearse: boolean; by: string },
): Promise<Imported> {
  const from = await contentFolder(dir)
  const findings = await checkContent(from)
  const idle = { findings, backup: null, isDone: false, notes: [] }
  if (hasErrors(findings)) return { ...idle, changes: [] }
  const { contentDir, dataDir } = config()
  const changes = await changesOf(from, contentDir)
  if (rehearse || changes.length === 0) return { ...idle, changes }
  const backup = await install(from, changes, { contentDir, dataDir })
  recordInstalled(dataDir, 'imported', { by, changes })
  const notes = changes.flatMap(({ file }) =>
    extraContentFiles.map(({ note }) => note?.(file) ?? null),
  )
  return { findings, changes, backup, isDone: true, notes: notes.filter((note) => note !== null) }
}

/** What a pull brought, found and did. */
export type PulledContent = Omit<Imported, 'notes'> & { pulled: Pulled }

/**
 * Takes over what a Directus has, when nothing is wrong with it; what it would not give stays.
 * @param config with the Directus as its content service
 * @param options `rehearse` only says what would change; `by` is who does it, for the timeline
 * @throws when the service does not answer, or has no rows
 */
export function pullIntoContent(
  { content: directus, contentDir, dataDir }: Pick<Config, 'content' | 'contentDir' | 'dataDir'>,
  { rehearse, by }: { rehearse: boolean; by: string },
): Promise<PulledContent> {
  return inFolder('pull', async (files, state) => {
    const from = { ...directus!, dataDir: state }
    const { pulled, words } = await pullContent(from, files, silent)
    if (pulled.rows === 0) throw new Error('The content service returned no rows; nothing copied.')
    await copyWithheld(pulled.forbidden, contentDir, files)
    await addWords(files, words)
    const findings = await checkContent(files)
    const changes = [
      ...(await changesOf(files, contentDir)),
      ...(await goneContent(files, contentDir)),
    ]
    const isDone = !rehearse && changes.length > 0 && !hasErrors(findings)
    const backup = isDone ? await install(files, changes, { contentDir, dataDir }) : null
    if (isDone) recordInstalled(dataDir, 'pulled', { by, changes })
    return { pulled, findings, changes, backup, isDone }
  })
}

/** Keeps for the timeline who took content over; no database is open here. */
const recordInstalled = (
  dataDir: string,
  act: string,
  { by, changes }: { by: string; changes: readonly unknown[] },
): void =>
  recordLater(
    dataDir,
    siteAct('content', { actor: by, act, note: `${counted(changes.length, 'file')} changed` }),
  )

/**
 * Copies the content files to an empty folder.
 * @returns how many, and where they are
 * @throws when the folder is not empty
 */
export async function exportContent(
  dir: string,
  { contentDir }: Pick<Config, 'contentDir'>,
): Promise<{ count: number; to: string }> {
  const to = resolve(dir)
  await mkdir(to, { recursive: true })
  if ((await readdir(to)).length > 0) throw new Error(`${dir} is not empty.`)
  const files = await listContent(contentDir)
  await copyContent(files, contentDir, to)
  return { count: files.length, to }
}

/** Works in a folder that is gone afterwards: one part of it for files, one for what a reader keeps. */
async function inFolder<Value>(
  name: string,
  work: (files: string, state: string) => Promise<Value>,
): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), `pitlane-${name}-`))
  try {
    const files = join(folder, 'files')
    await mkdir(files)
    return await work(files, join(folder, 'state'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const changesOf = async (from: string, to: string): Promise<Change[]> =>
  (await compareContent(from, to)).filter(({ change }) => change !== 'same')

/** Brings changes to CONTENT_DIR, after a copy of what is there. @returns where that copy is */
async function install(
  from: string,
  changes: readonly Change[],
  { contentDir, dataDir }: Pick<Config, 'contentDir' | 'dataDir'>,
): Promise<string | null> {
  let backup: string | null = null
  if (existsSync(contentDir)) {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
    backup = join(dataDir, 'backups', `content-${stamp}`)
    await mkdir(backup, { recursive: true, mode: 0o700 })
    await copyContent(await listContent(contentDir), contentDir, backup)
  }
  const gone = changes.filter(({ change }) => change === 'removed').map(({ file }) => file)
  const files = changes.map(({ file }) => file).filter((file) => !gone.includes(file))
  await copyContent(files, from, contentDir)
  await removeContent(gone, contentDir)
  return backup
}

/**
 * A folder that holds content, so a mistyped name is not taken for an empty site.
 * @throws when it has no content files
 */
export async function contentFolder(dir: string): Promise<string> {
  const from = resolve(dir)
  const files = existsSync(from) ? await listContent(from) : []
  if (files.length === 0) throw new Error(`No content files in ${dir}.`)
  return from
}
