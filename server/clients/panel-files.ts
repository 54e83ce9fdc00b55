import { basename, dirname } from 'node:path'
import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import type { Scope } from '#shared/clients/secret-code.ts'
import type { Patch } from '../images/bytes.ts'
import { privateMetadata } from '../images/metadata.ts'
import { FileGone, openFile, versionOf } from '../transfers/disk.ts'
import { kindOf } from '../transfers/file-kinds.ts'
import type { PanelStore } from './panels.ts'
import type { PanelBlock, PanelFile } from './schema.ts'

/**
 * The scope that opens a panel file, at each of its addresses. Films in a film block need only the
 * panel's own scope; everything else is a download.
 */
export const scopeOf = ({ name }: Pick<PanelFile, 'name'>, { kind }: Pick<PanelBlock, 'kind'>) =>
  (kind === 'videos' && kindOf(name).kind === 'video' ? 'view' : 'download') satisfies Scope

const kept = z.object({ keepLocation: z.literal(true) })

/** Max panel files with cached metadata; a file under an ID never changes. */
const maxFilesRemembered = 1_000

/** What overwrites parts of a file of a panel as it leaves; null when it cannot be cleaned. */
export type PanelMetadata = (
  file: Pick<PanelFile, 'id' | 'name'>,
) => Promise<readonly Patch[] | null>

/**
 * Creates the reader of panel files' metadata, which reads each file once.
 * @param pathOf where a file is
 */
export function createPanelMetadata(pathOf: PanelStore['pathOf']): PanelMetadata {
  const known = new LRUCache<string, { patches: readonly Patch[] | null }>({
    max: maxFilesRemembered,
  })
  return async (file) => {
    const found = known.get(file.id)
    if (found) return found.patches
    const path = pathOf(file)
    const [root, name] = [dirname(path), basename(path)]
    const version = await versionOf(root, name)
    if (!version) throw new FileGone('File not found.')
    const source = await openFile(root, name, version)
    try {
      const patches = await privateMetadata(source, kindOf(file.name).type)
      known.set(file.id, { patches })
      return patches
    } finally {
      await source.close()
    }
  }
}

/** The IDs of files that cannot be cleaned; missing files aren't included. */
export async function withheldOf(
  files: readonly PanelFile[],
  metadata: PanelMetadata,
): Promise<ReadonlySet<string>> {
  const withheld = new Set<string>()
  for (const file of files) {
    const isWithheld = await metadata(file).then(
      (patches) => patches === null,
      () => false,
    )
    if (isWithheld) withheld.add(file.id)
  }
  return withheld
}

/** Whether staff let the files of a block leave with position, serial numbers and owner. */
export const keepsLocation = ({ data }: Pick<PanelBlock, 'data'>): boolean =>
  kept.safeParse(data).success
