/** One line of a block: something to open, to fetch or just to know. */
export type BlockRow = {
  title: string
  /** Smaller, below the title. */
  detail?: string | null
  /** At the end of the line: a date, a size, a count. */
  value?: string | null
  /** A state in one or two words, and how much it matters. */
  state?: { label: string; tone: 'open' | 'done' | 'late' } | null
  href?: string | null
  /** What following `href` does: another page of ours, a file, another site. */
  way?: 'page' | 'file' | 'elsewhere'
}

/** A picture or a name that leads somewhere. */
export type BlockTile = {
  title: string
  detail?: string | null
  href: string
  /** Same-origin address of a picture in 4:3. */
  picture?: string | null
}

/** A film: a file of ours that plays in the page, or an address elsewhere. */
export type BlockVideo = { title: string; source: string | null; href: string | null }

/** How a block looks; every noun shows what it has in one of these forms. */
export type BlockView =
  | { view: 'text'; paragraphs: string[] }
  | { view: 'rows'; rows: BlockRow[]; more?: { label: string; href: string } | null }
  | { view: 'tiles'; tiles: BlockTile[] }
  | { view: 'videos'; videos: BlockVideo[] }
