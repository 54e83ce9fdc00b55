import type { BlockView } from '#shared/panel-block.ts'
import type { Session } from './http/session.ts'

/** The client whose panel is shown. */
export type PanelClient = {
  readonly id: number
  readonly name: string
  /** The last part of the panel's address. */
  readonly panel: string
  /** Addresses that are known to be the client's. */
  readonly emails: readonly string[]
}

/** What a block is loaded for. */
export type BlockOwner = {
  client: PanelClient
  /** Whose panel is shown; its scopes decide what may be offered. */
  session: Session
  /** The block that staff made; null for a kind that every panel has. */
  own: { id: number; data: unknown } | null
}

/** A kind of block in the panels of clients. */
export type PanelBlock = {
  /** Its name, which no other has. */
  kind: string
  /** The heading where staff gave none. */
  title: string
  /** `staff`: stands where staff put it; `system`: every panel has it, below those. */
  by: 'staff' | 'system'
  /** What to show; null leaves the block out. */
  load(owner: BlockOwner): Promise<BlockView | null> | BlockView | null
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeZone: 'Europe/Helsinki',
})

/** A day in Helsinki as panels write it, such as 20 Nov 2026. @param at milliseconds of the epoch */
export const panelDay = (at: number): string => dayFormat.format(at)
