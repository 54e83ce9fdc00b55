import type { ConsentCategory } from './consent.ts'

/** Something that the site keeps in a visitor's browser. */
export type StoredItem = {
  /** The name; a `*` at its end stands for any ending. */
  readonly name: string
  readonly store: 'cookie' | 'local' | 'session'
  /** `measurement` for what comes with a measuring service of others. */
  readonly category: ConsentCategory | 'measurement'
  /** A sentence for the cookie policy. */
  readonly purpose: string
  /** For people: "24 hours", "until you delete it". */
  readonly duration: string
  /** Who sets it and reads it. */
  readonly party: 'first' | 'Google Analytics'
  /** True when it comes only with a measuring service that the configuration names. */
  readonly measuring?: true
}

const untilDeleted = 'Until you delete it'
const untilTabCloses = 'Until you close the tab'

/**
 * Everything that the site keeps in a visitor's browser. The cookie policy is made from it, and a
 * browser test compares it with what is really there; what is stored again is added here.
 */
export const storageRegistry: readonly StoredItem[] = [
  {
    name: 'X-CSRF-TOKEN',
    store: 'cookie',
    category: 'necessary',
    purpose: 'Protects forms against forgery. Set when you start filling one in.',
    duration: '24 hours',
    party: 'first',
  },
  {
    name: 'cookiePreferences',
    store: 'local',
    category: 'necessary',
    purpose: 'Your choice for each category of cookies.',
    duration: untilDeleted,
    party: 'first',
  },
  {
    name: 'consentGiven',
    store: 'local',
    category: 'necessary',
    purpose: 'Remembers that you’ve chosen, so we don’t ask on every page.',
    duration: untilDeleted,
    party: 'first',
  },
  {
    name: 'consentDecision',
    store: 'local',
    category: 'necessary',
    purpose: 'When you chose, by which button, and under which version of this policy.',
    duration: untilDeleted,
    party: 'first',
  },
  {
    name: 'thirdPartyMeasurement',
    store: 'local',
    category: 'necessary',
    purpose: 'Whether you allow third-party analytics.',
    duration: untilDeleted,
    party: 'first',
    measuring: true,
  },
  {
    name: 'theme',
    store: 'local',
    category: 'necessary',
    purpose: 'The light or dark theme you chose.',
    duration: untilDeleted,
    party: 'first',
  },
  {
    name: 'deskKeys',
    store: 'local',
    category: 'necessary',
    purpose: 'Staff only: that the keyboard keys of our desk are switched off.',
    duration: untilDeleted,
    party: 'first',
  },
  {
    name: 'contact_outbox',
    store: 'local',
    category: 'necessary',
    purpose: 'A message that hasn’t been sent yet. Removed once it’s sent.',
    duration: '72 hours at most',
    party: 'first',
  },
  {
    name: 'tus::*',
    store: 'local',
    category: 'necessary',
    purpose: 'Where an upload that was cut off goes on. Only for our own staff.',
    duration: 'Until the upload is finished',
    party: 'first',
  },
  {
    name: 'tusSupport',
    store: 'local',
    category: 'necessary',
    purpose: 'Tries whether this browser can keep where an upload stands. Only for our own staff.',
    duration: 'Removed at once',
    party: 'first',
  },
  {
    name: 'sitemap_last_generated',
    store: 'local',
    category: 'necessary',
    purpose: 'When your browser last asked us to renew the site map, so it rarely asks again.',
    duration: untilDeleted,
    party: 'first',
  },
  {
    name: 'client',
    store: 'cookie',
    category: 'necessary',
    purpose: 'Keeps you signed in after you entered a secret code.',
    duration: 'Until you log out; 30 days at most',
    party: 'first',
  },
  {
    name: '__Host-client',
    store: 'cookie',
    category: 'necessary',
    purpose: 'The same, on an encrypted connection.',
    duration: 'Until you log out; 30 days at most',
    party: 'first',
  },
  {
    name: 'sign_in',
    store: 'cookie',
    category: 'necessary',
    purpose:
      'Remembers that your code was right while you look up the number in your authenticator app. Set only without JavaScript.',
    duration: '5 minutes',
    party: 'first',
  },
  {
    name: '__Host-sign_in',
    store: 'cookie',
    category: 'necessary',
    purpose: 'The same, on an encrypted connection.',
    duration: '5 minutes',
    party: 'first',
  },
  {
    name: 'folder_picker',
    store: 'cookie',
    category: 'necessary',
    purpose: 'Remembers your favourites in shared folders. Set when you save the first.',
    duration: '180 days',
    party: 'first',
  },
  {
    name: 'folder_*',
    store: 'cookie',
    category: 'necessary',
    purpose: 'Remembers for 12 hours that you entered a shared folder’s password.',
    duration: 'Until you close the browser',
    party: 'first',
  },
  {
    name: '__Host-folder_*',
    store: 'cookie',
    category: 'necessary',
    purpose: 'The two for shared folders, on an encrypted connection.',
    duration: '180 days, and until you close the browser',
    party: 'first',
  },
  {
    name: 'cart',
    store: 'cookie',
    category: 'necessary',
    purpose: 'Remembers your cart. Set when you add your first item.',
    duration: '30 days after the last change',
    party: 'first',
  },
  {
    name: '__Host-cart',
    store: 'cookie',
    category: 'necessary',
    purpose: 'The same, on an encrypted connection.',
    duration: '30 days after the last change',
    party: 'first',
  },
  {
    name: 'order',
    store: 'cookie',
    category: 'necessary',
    purpose: 'Remembers that you entered an order’s code, so we can show its full details.',
    duration: '60 minutes',
    party: 'first',
  },
  {
    name: '__Host-order',
    store: 'cookie',
    category: 'necessary',
    purpose: 'The same, on an encrypted connection.',
    duration: '60 minutes',
    party: 'first',
  },
  {
    name: 'cart_pieces',
    store: 'local',
    category: 'necessary',
    purpose: 'The number of items in your cart, shown at the top of every page.',
    duration: 'Until the cart is empty',
    party: 'first',
  },
  {
    name: 'clientPanelAuth',
    store: 'local',
    category: 'necessary',
    purpose: 'Remembers that you’re signed in, to show the log-out button.',
    duration: 'Until you log out',
    party: 'first',
  },
  {
    name: 'user_data',
    store: 'local',
    category: 'necessary',
    purpose: 'The client panel you’re signed in to.',
    duration: 'Until you log out',
    party: 'first',
  },
  {
    name: 'auth_token',
    store: 'local',
    category: 'necessary',
    purpose: 'Left by earlier versions of the client zone; removed when you log out.',
    duration: 'Until you log out',
    party: 'first',
  },
  {
    name: 'folder_selection:*',
    store: 'session',
    category: 'necessary',
    purpose: 'The files you’ve selected for download in a shared folder.',
    duration: untilTabCloses,
    party: 'first',
  },
  {
    name: 'folder_typed:*',
    store: 'session',
    category: 'necessary',
    purpose:
      'What you’ve typed in a shared folder, so signing in again doesn’t lose it: comments, and the message with your favourites. Removed once you send them, or log out.',
    duration: untilTabCloses,
    party: 'first',
  },
  {
    name: 'self-check',
    store: 'local',
    category: 'necessary',
    purpose: 'Written and removed at once by our self-check page, to test storage.',
    duration: 'A moment',
    party: 'first',
  },
  {
    name: 'self-check',
    store: 'session',
    category: 'necessary',
    purpose: 'The same, for storage that ends with the tab.',
    duration: 'A moment',
    party: 'first',
  },
  {
    name: 'booking_draft',
    store: 'session',
    category: 'necessary',
    purpose:
      'What you’ve entered in the booking form, so reloading or going back doesn’t lose it. Removed once you send it.',
    duration: untilTabCloses,
    party: 'first',
  },
  {
    name: 'checkout_draft',
    store: 'session',
    category: 'necessary',
    purpose:
      'What you’ve entered at the checkout, so reloading or coming back from the payment page doesn’t lose it. Removed once your order is placed.',
    duration: untilTabCloses,
    party: 'first',
  },
  {
    name: 'desk_typed:*',
    store: 'session',
    category: 'necessary',
    purpose:
      'For our staff: what they’ve typed but not sent, when a page of theirs is reloaded or they sign in again.',
    duration: untilTabCloses,
    party: 'first',
  },
  {
    name: 'desk_name',
    store: 'session',
    category: 'necessary',
    purpose: 'For our staff: the name they sign with on pages opened from an email.',
    duration: untilTabCloses,
    party: 'first',
  },
  {
    name: 'scrollToServices',
    store: 'session',
    category: 'necessary',
    purpose:
      'Remembers that you followed a link to our services, to take you there on the home page.',
    duration: untilTabCloses,
    party: 'first',
  },
  {
    name: 'react-router-scroll-positions',
    store: 'session',
    category: 'necessary',
    purpose: 'Your scroll position, restored when you come back to a page.',
    duration: untilTabCloses,
    party: 'first',
  },
  {
    name: '_ga*',
    store: 'cookie',
    category: 'measurement',
    purpose: 'Distinguishes browsers to count visits. Removed when you withdraw your consent.',
    duration: '2 years',
    party: 'Google Analytics',
    measuring: true,
  },
]

/** The entry of something that was found in a browser; undefined when it is not declared. */
export const registered = (store: StoredItem['store'], name: string): StoredItem | undefined =>
  storageRegistry.find(
    (item) =>
      item.store === store &&
      (item.name.endsWith('*') ? name.startsWith(item.name.slice(0, -1)) : item.name === name),
  )
