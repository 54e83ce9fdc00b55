import type { TrackedEvent } from './track.ts'

/** What trackers learn about a page: campaigns, but no other query and no private paths. */
export type PageView = { path: string; title: string; referrer: string }

/** A measuring service. */
export type Tracker = {
  pageView(view: PageView): void
  event(name: TrackedEvent, view: PageView): void
  /** Ends it without a reload, and removes what it stored. */
  stop(): void
}
