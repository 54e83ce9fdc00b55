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
 * browser test compares it with what is really there; what is stored anew is added here.
 */
export const storageRegistry: readonly StoredItem[] = [
  {
    name: 'X-CSRF-TOKEN',
    store: 'cookie',
    category: 'necessary',
    purpose: 'Proves that a form was sent from our own page. Set when you begin to use one.',
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
    purpose: 'That you have chosen, so that we do not ask on every page.',
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
    purpose: 'Whether you let measuring services of other companies load.',
    duration: untilDeleted,
    party: 'first',
    measuring: true,
  },
  {
    name: 'theme',
    store: 'local',
    category: 'necessary',
    purpose: 'The light or dark theme that you switched to.',
    duration: untilDeleted,
    party: 'first',
  },
  {
    name: 'contact_outbox',
    store: 'local',
    category: 'necessary',
    purpose: 'A message of yours that could not be sent yet; it is sent again and then removed.',
    duration: '72 hours at most',
    party: 'first',
  },
  {
    name: 'sitemap_last_generated',
    store: 'local',
    category: 'necessary',
    purpose: 'When your browser last asked us to renew the site map, so that it seldom does.',
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
    name: 'folder_picker',
    store: 'cookie',
    category: 'necessary',
    purpose: 'Knows your favourites in shared folders again. Set when you save the first.',
    duration: '180 days',
    party: 'first',
  },
  {
    name: 'folder_*',
    store: 'cookie',
    category: 'necessary',
    purpose: 'That you entered the password of a shared folder. Good for 12 hours.',
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
    purpose: 'Finds your shopping cart again. Set when you put the first thing into it.',
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
    purpose: 'That you entered the code for an order, so that it is shown whole.',
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
    purpose: 'How many pieces are in your shopping cart, to show it at the top of every page.',
    duration: 'Until the cart is empty',
    party: 'first',
  },
  {
    name: 'clientPanelAuth',
    store: 'local',
    category: 'necessary',
    purpose: 'That you entered a secret code, so that the log-out button is shown.',
    duration: 'Until you log out',
    party: 'first',
  },
  {
    name: 'user_data',
    store: 'local',
    category: 'necessary',
    purpose: 'Whose panel the secret code opened, and where it is.',
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
    purpose: 'The files of a shared folder that you ticked for a download.',
    duration: untilTabCloses,
    party: 'first',
  },
  {
    name: 'self-check',
    store: 'local',
    category: 'necessary',
    purpose: 'Written and removed at once by our self-check page, to see whether storing works.',
    duration: 'A moment',
    party: 'first',
  },
  {
    name: 'self-check',
    store: 'session',
    category: 'necessary',
    purpose: 'The same, for what ends with the tab.',
    duration: 'A moment',
    party: 'first',
  },
  {
    name: 'scrollToServices',
    store: 'session',
    category: 'necessary',
    purpose: 'That you asked for our services on another page, to show them at home.',
    duration: untilTabCloses,
    party: 'first',
  },
  {
    name: 'react-router-scroll-positions',
    store: 'session',
    category: 'necessary',
    purpose: 'How far you had scrolled, for when you come back to a page.',
    duration: untilTabCloses,
    party: 'first',
  },
  {
    name: '_ga*',
    store: 'cookie',
    category: 'measurement',
    purpose: 'Tells one browser from another to count visits. Removed when you withdraw.',
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
