import * as z from 'zod/mini'
import type { Scope } from '#shared/secret-code.ts'
import { kindOf } from '../transfers/file-kinds.ts'
import type { PanelBlock, PanelFile } from './panels.ts'

/**
 * The scope that opens a file of a panel, at every address of it. Films that staff have put among
 * the films are for looking at, as the panel itself; everything else is a download.
 */
export const scopeOf = ({ name }: Pick<PanelFile, 'name'>, { kind }: Pick<PanelBlock, 'kind'>) =>
  (kind === 'videos' && kindOf(name).kind === 'video' ? 'view' : 'download') satisfies Scope

const kept = z.object({ keepLocation: z.literal(true) })

/** Whether staff let the files of a block leave with position, serial numbers and owner. */
export const keepsLocation = ({ data }: Pick<PanelBlock, 'data'>): boolean =>
  kept.safeParse(data).success
