import type * as z from 'zod/mini'
import { dateAt } from '#shared/dates/civil-dates.ts'
import type { BlockView } from '#shared/clients/panel-block.ts'
import { shortDate } from '#shared/dates/short-dates.ts'
import type { Session } from '../http/request-context.ts'

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

/** What staff put into a block by the command line. */
export type BlockContent = {
  /** What is kept of it. */
  schema: z.ZodMiniType
  /**
   * The options of `panels add` that it takes, the one that it cannot do without first: `text` is
   * kept as `text`, `link` as `links`, `folder` as `folders`; `file` copies files, which are in a
   * table of their own, and lets `keepLocation` be said of them.
   */
  options: readonly ('text' | 'link' | 'folder' | 'file')[]
  /** Brings what has just been said to what is kept. @throws with a sentence for staff */
  settle?(said: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** What staff should know who have just added one. */
  note?: string
}

/** A kind of block in the panels of clients. */
export type PanelBlock = {
  /** Its name, which no other has. */
  kind: string
  /** The heading where staff gave none. */
  title: string
  /** What to show; null leaves the block out. */
  load(owner: BlockOwner): Promise<BlockView | null> | BlockView | null
} & (
  | {
      /** Stands where staff put it. */
      by: 'staff'
      content: BlockContent
    }
  | {
      /** Every panel has it, below those of staff. */
      by: 'system'
    }
)

/** A day in Helsinki as panels write it, such as 20 Nov 2026. @param at milliseconds of the epoch */
export const panelDay = (at: number): string => shortDate(dateAt(at))
