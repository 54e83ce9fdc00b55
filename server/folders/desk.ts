import { counted } from '#shared/text/counted.ts'
import { dayMs } from '#shared/dates/durations.ts'
import type { DeskLine } from '#shared/desk/lines.ts'
import { paths } from '#shared/paths.ts'
import { deskGroup, isoOf, type DeskSource, type DeskThings } from '../contributions/desk-source.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { Platform } from '../feature.ts'
import { panelDay } from '../contributions/panel-block.ts'
import type { Folder } from './schema.ts'
import { stateOf, type FolderStore } from './store.ts'

/** Folders at the desk: those that expire within a week. @param folders `things`: their pages */
export function folderDesk(
  { clock }: Pick<Platform, 'clock'>,
  {
    store,
    panels,
    things,
  }: {
    store: Pick<FolderStore, 'byNumber' | 'expiring' | 'ofClient' | 'search'>
    panels: Pick<ClientFeature['panels'], 'foldersOf'>
    things: DeskThings
  },
): DeskSource {
  const line = (folder: Folder): DeskLine => {
    const { title, client, season, expiresAt, key, createdAt, fileCount } = folder
    const state = stateOf(folder, clock())
    const ends = expiresAt !== null && state === 'open' ? `until ${panelDay(expiresAt - 1)}` : null
    return {
      label: 'Folder',
      title,
      detail: [client, season, counted(fileCount, 'file'), state, ends].filter(Boolean).join(' · '),
      urgent: expiresAt !== null && state === 'open' && expiresAt - clock() < dayMs,
      at: isoOf(createdAt),
      href: paths.deskThing('folders', key),
    }
  }
  return {
    today: () =>
      deskGroup('Folders that expire within 7 days', store.expiring(7 * dayMs), {
        line,
        command: 'pitlane folders list',
      }),
    find: async (words, limit) =>
      (await store.search(words, limit)).flatMap((id) => store.byNumber(id) ?? []).map(line),
    ofClient: ({ panel, name }) => store.ofClient(name, panels.foldersOf(panel)).map(line),
    things,
  }
}
