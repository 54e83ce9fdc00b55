import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { SiteClock } from './clock.ts'
import type { Config } from './config.ts'
import type { Content } from './content/source.ts'
import type { Commit, Transaction } from './db/group-commit.ts'
import type { Database } from './db/open.ts'
import type { Endpoints } from './http/endpoints.ts'
import type { FileSet, SiteFiles } from './http/replies/cached-files.ts'
import type { DeskSource } from './contributions/desk-source.ts'
import type { EarlyReplies } from './http/early-responses.ts'
import type { GetLimit } from './http/limits/limits.ts'
import type { PageOrigins } from './http/security-headers.ts'
import type { FooterLink } from './http/replies/plain-page.ts'
import type { PlainReplies } from './http/replies/plain-reply.ts'
import type { FindSession } from './http/request-context.ts'
import type { JobDefinition } from './jobs/job.ts'
import type { FormProofs } from './secrets/form-proofs.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { RecentLog } from './logging/recent-log.ts'
import type { Brand } from './mail/message.ts'
import type { Outbox } from './mail/outbox.ts'
import type { MailStore } from './mail/store.ts'
import type { MailTemplate } from './mail/template.ts'
import type { OverviewPart } from './contributions/overview.ts'
import type { PanelBlock } from './contributions/panel-block.ts'
import type { PersonalData } from './contributions/personal-data.ts'
import type { SearchDocument, SearchSource } from './contributions/search-source.ts'
import type { Keys } from './secrets/secret-key.ts'
import type { ServerSettings } from './state/server-settings.ts'
import type { ServerWarnings } from './state/server-warnings.ts'
import type { Shares } from './shares/shares.ts'
import type { SiteVersion } from './state/site-version.ts'
import type { SitemapEntry } from './contributions/sitemap-entry.ts'
import type { Timeline } from './timeline/timeline.ts'
import type { CreateThread } from './concurrency/worker-thread.ts'

/** What every feature may use: the long-lived parts of the server that know no noun. */
export type Platform = {
  readonly config: Config
  readonly log: Logger
  /** Milliseconds of the epoch; stands still in tests. Every rule takes its time from here. */
  readonly clock: () => number
  /** Whether that time can be trusted. Jobs ask by themselves; other work that destroys by time must. */
  readonly siteClock: Pick<SiteClock, 'doubt' | 'accept'>
  /** What the server has noticed about how it is set up. */
  readonly warnings: ServerWarnings
  /** Keyed hashes; for tokens that expire use `createSignedTokens`. */
  readonly keys: Keys
  /** What the server is set up with, as the command line compares it. */
  readonly serverSettings: Pick<ServerSettings, 'recordKey'>
  /** For reading; every write goes through {@link Platform.commit}. */
  readonly db: Database
  /** Runs work in a transaction that concurrent requests share; resolves once it is on disk. */
  readonly commit: Commit
  readonly content: Content
  /** Tells the page cache, the sitemap and the search that what the public sees has changed. */
  readonly siteVersion: SiteVersion
  /** Queues emails, within the transaction of what they report. */
  readonly mails: MailStore
  /** `wake()` after the transaction sends without delay. */
  readonly outbox: Pick<Outbox, 'wake' | 'counts' | 'stuckFor'>
  /** What strangers may hold, number or cause. */
  readonly shares: Shares
  /** Sums that keep robots out of forms. */
  readonly formProofs: FormProofs
  readonly jobs: Jobs
  readonly timeline: Timeline
  /** Makes a thread for what would hold up every request. */
  readonly createThread: CreateThread
  /** The last lines of the log. */
  readonly recentLog: RecentLog
  /** Who the site is, in emails and documents; answers soon, with whatever is known. */
  readonly brand: () => Promise<Brand>
  /** What all features give. Complete once the context is open, so ask when it is needed. */
  contributions(): Contributions
}

/** Tokens, links or codes that rest on the secret key, as `keys show` and `keys revoke` name them. */
export type SignedKind = {
  /** One word; several features may share one, such as `links`. */
  kind: string
  /** What it is, in a few words for staff. */
  what: string
  /** The purposes under which they are signed or hashed. */
  purposes: readonly string[]
  /** What else ends them in the database. Call inside a transaction. */
  revoke?(tx: Transaction): void
  /** Puts what earlier keys encrypted under today's, before those end. Call inside a transaction. */
  renew?(tx: Transaction): void
}

/** What a check of the doctor found, in a line for staff. */
export type Finding = { state: 'ok' | 'warn' | 'fail'; text: string }

/** One check of `doctor`; what it throws counts as `fail`. */
export type DoctorCheck = { check: string; look(): Finding | Promise<Finding> }

/** Something that waits for staff, in their daily email; left out while the count is 0. */
export type DigestLine = {
  count: number
  /** What there are so many of, such as "in quarantine". */
  what: string
  /** The same where there is one, if it reads differently. */
  one?: string
  /** The command that shows them. */
  command: string
  /** The title of the group that has them on the desk's first page; none where the desk doesn't. */
  group?: string
}

/** What a feature mounts its routes on; each app has its own. */
export type Http = {
  /** For endpoints that are declared in `shared/`. */
  readonly endpoints: Endpoints
  /** The middleware of a rate limit. The same name is the same limit, shared by its routes. */
  readonly limit: GetLimit
  /** Adds a router or middleware, after the common guards and before the pages. */
  mount(handler: RequestHandler): void
  /** Answers with pages that need no script. */
  readonly plain: PlainReplies
  /**
   * Lets others post to a path, such as a webhook or a one-click unsubscribe: the secret in the
   * path or body is all the right there is, and no cookie may be looked at.
   */
  openPath(path: RegExp): void
  /** Lets bodies of so many bytes come to a path, such as files, whose route never holds them whole. */
  largeBody(path: RegExp, bytes: number): void
  /** Replies that leave ahead of the middleware, where a request has to be quick above all. */
  readonly early: EarlyReplies
  /** Regenerates a set of {@link Feature.files}. @throws what its `make` throws */
  readonly refreshFiles: SiteFiles['refresh']
  /** Whether this is the development server. */
  readonly development: boolean
}

/**
 * What one noun gives to the rest of the server. It is made by a function
 * `xFeature(platform, { other features by name })` in `server/<noun>/feature.ts`, which adds the
 * functions that other features may use.
 */
export type Feature = {
  readonly name: string
  /**
   * Mounts the routes; called once for each app. What only a server needs, Express before all, is
   * imported here, so that the command line never loads it.
   */
  routes?(http: Http): void | Promise<void>
  /** By the kind that the email's row has. */
  mailTemplates?: Readonly<Record<string, MailTemplate>>
  jobs?: readonly JobDefinition[]
  panelBlocks?: readonly PanelBlock[]
  /** Paths of pages that there always are; the sitemap has them whatever content says. */
  pages?: readonly string[]
  /**
   * What else the sitemap can say: further pages, and of any page when it changed last. Several may
   * speak of the same one. @throws when that cannot be known now; the last sitemap stays
   */
  sitemap?(): Promise<readonly SitemapEntry[]> | readonly SitemapEntry[]
  search?: readonly SearchSource[]
  /**
   * Its pages that aren't rows of a collection, as they can be found. They stand whatever content
   * says, so words from there are waited for `pageTimeout` at most.
   */
  searchPages?(): Promise<readonly SearchDocument[]> | readonly SearchDocument[]
  /** Parts of /llms.txt; headings come in the order in which features first use them. */
  overview?: readonly OverviewPart[]
  /** Files beside the pages, such as feeds; kept as finished bytes until their version changes. */
  files?: readonly FileSet[]
  /** Pictures of the content service that its public pages show and no content names. */
  pictures?(): readonly string[]
  /**
   * What staff call things that the timeline has by a number of the database, by their kind; null for
   * one that is gone.
   */
  thingNames?: Readonly<Record<string, (thingId: string) => string | null>>
  personalData?: readonly PersonalData[]
  /** What of it opens something by the secret key alone. */
  signs?: readonly SignedKind[]
  /** Parts of `GET /api/health`, each `ok` or what is wrong in a word. */
  health?(): Readonly<Record<string, string>>
  doctor?: readonly DoctorCheck[]
  digest?(): readonly DigestLine[]
  /** What it shows staff at the desk. */
  desk?: DeskSource
  /** Tells who is signed in from the cookies of a request. */
  findSession?: FindSession
  /** Other origins that pages may load from, send to or post forms to. */
  origins?: PageOrigins
  /** Its pages that stand at the foot of every page which needs no script. */
  footerLinks?: readonly FooterLink[]
  /** First parts of paths that no data-made route may take, without slashes. */
  reservedPaths?: readonly string[]
  /** Beginnings of paths that robots.txt asks crawlers to stay away from. */
  disallowedPaths?: readonly string[]
  /**
   * Beginnings of paths whose next segment opens something by itself, such as a signed token: the log
   * keeps four characters of it.
   */
  privatePaths?: readonly string[]
  /** Names of fields that are secret in this spelling only; the log never shows them. */
  secretFields?: readonly string[]
  /** Brings what it keeps up to date as the context is opened, such as a first import. */
  prepare?(): void | Promise<void>
  /** Begins what it does in the background of a server; the command line never asks for it. */
  start?(): void
  /** Ends connections that would stay open by themselves, before the server waits for the others. */
  release?(): void
  /** Lets go of what it holds; the database is still open. */
  close?(): void | Promise<void>
}

/** What all features give together. */
export type Contributions = {
  readonly features: readonly Feature[]
  readonly mailTemplates: ReadonlyMap<string, MailTemplate>
  readonly jobs: readonly JobDefinition[]
  readonly panelBlocks: readonly PanelBlock[]
  readonly pages: readonly string[]
  sitemap(): Promise<readonly SitemapEntry[]>
  readonly search: readonly SearchSource[]
  searchPages(): Promise<readonly SearchDocument[]>
  readonly overview: readonly OverviewPart[]
  readonly files: readonly FileSet[]
  pictures(): readonly string[]
  /** What staff call a thing of the timeline: its name, or else the id that it has there. */
  thingName(thing: string, thingId: string): string
  readonly personalData: readonly PersonalData[]
  readonly signs: readonly SignedKind[]
  health(): Readonly<Record<string, string>>
  readonly doctor: readonly DoctorCheck[]
  digest(): readonly DigestLine[]
  readonly desk: readonly DeskSource[]
  readonly findSession: FindSession
  readonly origins: Required<PageOrigins>
  readonly footerLinks: readonly FooterLink[]
  readonly reservedPaths: ReadonlySet<string>
  readonly disallowedPaths: readonly string[]
  readonly privatePaths: readonly string[]
  readonly secretFields: ReadonlySet<string>
  start(): void
  release(): void
}
