import type { ApiClient } from './endpoint.ts'

/** The built files that a page needs. */
export type Assets = {
  entry: string
  /** The module of the page; null for the shell alone. */
  page: string | null
  /** Code beside the entry. */
  modules: readonly string[]
  styles: readonly string[]
  /** One file with all of `styles`, where the build has made it. */
  sheet: string | null
}

/** One page to render. */
export type PageRequest = {
  /** Absolute. */
  url: string
  /** Shown on error pages, so what a visitor reports can be found in the log. */
  requestId: string
  method: string
  /** The fields that were posted to the page. */
  form?: Iterable<[name: string, value: string]>
  api: ApiClient
  /** Milliseconds that a part of the page may hold up the shell. */
  partTimeout: number
  /** Picks among equally good variants of a page. */
  variant: number
  /** For inline scripts; left out where hashes stand for them. */
  nonce?: string
  /** Wait for every late part, so the bytes need no script to fall into place. */
  whole: boolean
  /** The built files of a page's module, or of the shell alone. */
  assets(source: string | null): Assets
  onError(error: unknown): void
}

/** What the server knows of a page beside its path and its code. */
export type PageFacts = {
  /** How it may be cached: for all visitors, by these names in the query; or not at all. */
  keep: { query: readonly string[] } | null
  /** Whether it may hold a secret of its visitor. */
  personal: boolean
  /** Whether a personal page's secret is in its address, so that others can't even ask for it. */
  openedByAddress: boolean
  /** How many variants of the page exist for visitors to get at random. */
  variants: number
  /** Added to the reply. */
  headers: Readonly<Record<string, string>>
}

/** A page whose shell is ready and can be written to a `Destination`, or a redirect. */
export type Rendering<Destination> =
  | { redirect: string; status: number }
  | {
      redirect: null
      status: number
      /** What is known of the page; null for a failed one. */
      handle: PageFacts | null
      /** True when a part was missing or came late. */
      readonly degraded: boolean
      pipe(destination: Destination): void
      abort(reason: unknown): void
    }

/** What the bundle of the renderer exports. */
export type RendererBundle<Destination> = {
  render(request: PageRequest): Promise<Rendering<Destination>>
  /** The inline scripts of pages that are rendered without a nonce, to the letter. */
  inlineScripts: readonly string[]
  /** The modules of every kind of page, null for the shell alone; the build joins their styles. */
  pageSources: readonly (string | null)[]
  /**
   * The names in the query that the page at a path depends on.
   * @param path in its canonical spelling
   * @returns null where there is no page, or one that is not kept
   */
  queryOf(path: string): readonly string[] | null
  /** Whether the page at a path is posted to by its own form. @param path in any spelling */
  acceptsForm(path: string): boolean
}
