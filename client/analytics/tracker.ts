import type { TrackedEvent } from './track.ts'

/** What is told of a page: nothing of its query but campaigns, nothing of private paths. */
export type PageView = { path: string; title: string; referrer: string }

/** A measuring service. */
export type Tracker = {
  pageView(view: PageView): void
  event(name: TrackedEvent, view: PageView): void
  /** Ends it without a reload, and removes what it stored. */
  stop(): void
}
