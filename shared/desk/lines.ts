/** A thing of a noun as a line at the desk. */
export type DeskLine = {
  /** What it is, such as "Ticket". */
  label: string
  title: string
  /** Who, when, how much: what tells it from others of its kind. */
  detail: string
  /** What may not wait, such as a reply that is late. */
  urgent: boolean
  /** When it last mattered; ISO 8601 with Z. */
  at: string | null
  /** Its page; null for what only the command line shows. */
  href: string | null
}

/** Things that wait for the same reason. */
export type DeskGroup = {
  title: string
  /** How many there are; `lines` may be fewer. */
  total: number
  lines: DeskLine[]
  /** The command that lists all of them. */
  command: string | null
}

/** How many lines of each group the desk's first page shows. */
export const maxGroupLines = 10

/** How many lines of a group the page of that group shows. */
export const maxLinesOfGroup = 300
