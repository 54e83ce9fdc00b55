/** What visitors do that is worth counting. */
export type TrackedEvent =
  | 'contact_sent'
  | 'booking_requested'
  | 'order_placed'
  | 'newsletter_subscribed'
  | 'search'

/** Fired on `window` with a {@link TrackedEvent} as its detail. */
export const trackedEvent = 'tracked'

/** Tells of something that happened, for whatever counts it. Carries no personal data. */
export function track(name: TrackedEvent): void {
  dispatchEvent(new CustomEvent<TrackedEvent>(trackedEvent, { detail: name }))
}
