import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { inspectDatabase } from '../db/database-files.ts'
import { newestMigration } from '../db/migrate.ts'
import { version } from '../version.ts'
import { digestFile, isState } from './files.ts'
import {
  databaseName,
  fileIn,
  hasSite,
  isCopy,
  plainKey,
  readManifest,
  type Manifest,
} from './manifest.ts'

/** What a look at every byte of a backup found. */
export type Checked = {
  manifest: Manifest
  /** What is wrong, each in a line that names the file; empty for a sound backup. */
  problems: readonly string[]
}

/**
 * Compares every file of a backup with its manifest, and looks whether the database is sound.
 * @param backup its directory
 * @throws when there is no manifest to compare with
 */
export async function checkBackup(backup: string): Promise<Checked> {
  const manifest = await readManifest(backup)
  if (isCopy(backup)) return { manifest, problems: checkDatabase(backup, manifest) }
  const problems: string[] = []
  for (const { path, bytes, sha256 } of manifest.files) {
    const entry = await lstat(join(backup, path)).catch(() => null)
    if (!entry?.isFile()) problems.push(`${path} is missing`)
    else if (entry.size !== bytes) problems.push(`${path} has ${entry.size} bytes, not ${bytes}`)
    else {
      const digest = await digestFile(join(backup, path)).catch(() => null)
      if (digest === null) problems.push(`${path} can’t be read`)
      else if (digest.sha256 !== sha256) problems.push(`${path} is damaged`)
    }
  }
  for (const { path, target } of manifest.links) {
    const found = await readlink(join(backup, path)).catch(() => null)
    if (found !== target) problems.push(`${path} is no longer the same link`)
  }
  const paths = [...manifest.files, ...manifest.links].map(({ path }) => path)
  for (const path of [...paths, ...manifest.directories]) {
    const [name] = path.split('/')
    // Backups of earlier versions have the key in plain.
    if (!isState(name!) && path !== plainKey) {
      problems.push(`${path} isn’t part of a backup`)
    }
  }
  problems.push(...checkDatabase(backup, manifest))
  return { manifest, problems }
}

function checkDatabase(backup: string, manifest: Manifest): string[] {
  const { files, schema } = manifest
  if (!hasSite(manifest)) return []
  if (!files.some(({ path }) => path === databaseName)) return [`${databaseName} is missing`]
  const found = inspectDatabase(fileIn(backup, databaseName))
  const problems = found.problems.map((problem) => `${databaseName}: ${problem}`)
  if (found.problems.length === 0 && found.schema !== schema) {
    problems.push(`${databaseName} is at migration ${found.schema}, not ${schema}`)
  }
  return problems
}

/** Why this version of the site cannot use a backup; null when it can. */
export function versionProblem({ schema, version: madeBy }: Manifest): string | null {
  if (isNewer(madeBy, version)) {
    return `The backup was made by version ${madeBy} of Pitlane, this is ${version}. Install the newer one first.`
  }
  // Databases change between releases, too, while the version stays the same.
  const newest = newestMigration()
  return (schema ?? 0) > newest
    ? `The backup was made by a newer version of Pitlane: its database has migration ${schema}, this version’s last one is ${newest}. Install the newer one first.`
    : null
}

function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number))
  const at = a!.findIndex((number, index) => number !== b![index])
  return at >= 0 && a![at]! > b![at]!
}
