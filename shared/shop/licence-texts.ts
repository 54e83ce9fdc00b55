import type { LicenceUse } from './licences.ts'

/** A kind of licence; each change of its text is a new version. */
export type LicenceText = {
  name: string
  version: string
  summary: string
  /** What it allows and excludes, for the document; term, territory and licensee are beside it. */
  text: string
  /** The uses that its variants may name; the first one where they name none. */
  uses: readonly [LicenceUse, ...LicenceUse[]]
  isExclusive: boolean
  /**
   * Who it is for, where its variants say nothing else. A licence with this counts worldwide and
   * without an end; without it each variant says where and how long it counts.
   */
  defaultLicensee: string | null
}

/** The kinds of licences, by the name that products give. */
export const licenceTexts: Readonly<Record<string, LicenceText>> = {
  personal: {
    name: 'Personal licence',
    version: '1.0',
    summary: 'For you alone: on your own screens and prints, not for publication or resale.',
    text: 'You may use the files on your own devices and print them for your own walls. You may not publish them, pass them on, sell them or use them for anything that earns money. The rights stay with us.',
    uses: ['personal'],
    isExclusive: false,
    defaultLicensee: 'one person',
  },
  screens: {
    name: 'Wallpaper licence',
    version: '1.0',
    summary:
      'For the screens of one household, or of one company or club, as ordered. Not for advertising or resale.',
    text: 'You may show the images on the screens named in your order: all devices of one household, or all screens of one company or club, including reception and hospitality. Advertising, publication, passing on and resale are not included. The rights stay with us.',
    uses: ['screens'],
    isExclusive: false,
    defaultLicensee: 'one household',
  },
  looks: {
    name: 'Colour looks licence',
    version: '1.0',
    summary:
      'For one person on all their machines, or up to ten people in one company, as ordered. Paid work included.',
    text: 'The people named in your order, one person on all their machines or up to ten people in one company, may use the looks in any work, paid work included. Photos and films made with the looks are yours, without conditions. You may not sell or pass on the looks themselves.',
    uses: ['editing'],
    isExclusive: false,
    defaultLicensee: 'one person on all their machines',
  },
  template: {
    name: 'Template licence',
    version: '1.0',
    summary:
      'For all channels of one team, series or club, with no time limit. Agencies buy one for each client.',
    text: 'One team, series or club may edit the templates and publish the results in all its channels, including commercially, without limit of time or place. An agency may work with them for that team, series or club, and needs a licence for each further client. You may not sell or pass on the templates themselves.',
    uses: ['channels'],
    isExclusive: false,
    defaultLicensee: 'one team, series or club',
  },
  'royalty-free': {
    name: 'Royalty-free licence',
    version: '1.0',
    summary:
      'Pay once and use it as often as you like in your own work, including commercially. Not for resale as it is.',
    text: 'You may use the files in your own designs, films and publications, including commercially, without further payment and without limit of time or place. You may not sell or pass on the files themselves, or as part of a collection of files.',
    uses: ['design'],
    isExclusive: false,
    defaultLicensee: 'one person or company',
  },
  editorial: {
    name: 'Editorial licence',
    version: '2.0',
    summary:
      'Editorial use with our credit, in the media and territory and for the term you order. No advertising.',
    text: 'You may publish the picture in reporting, in one language, in the media, the territory and the term named above. Archive use of the page or programme in which it first appeared is included and continues after the term. The credit must appear beside the picture. Advertising, merchandise, product covers and anything that suggests an endorsement are not included.',
    uses: ['editorial', 'editorial-web'],
    isExclusive: false,
    defaultLicensee: null,
  },
  commercial: {
    name: 'Commercial licence',
    version: '2.0',
    summary:
      'Advertising and marketing for one company and one brand, in the territory and for the term you order. Not exclusive.',
    text: 'The licensee may use the picture for one brand in its advertising and marketing, in all media and in its own channels, in the territory and for the term named above. The licence is not exclusive. It may be passed on to an agency working for the licensee, and to no one else. Use as a trademark, resale, products whose main point is the picture itself and political advertising are not included.',
    uses: ['advertising'],
    isExclusive: false,
    defaultLicensee: null,
  },
  exclusive: {
    name: 'Exclusive licence',
    version: '2.0',
    summary:
      'All advertising and editorial use by one company, in the territory and for the term you order. During that time no one else publishes the picture, including us.',
    text: 'The licensee and its subsidiaries may use the picture for every advertising and editorial purpose, in all media, in the territory and for the term named above. Until the term ends we neither license it to anyone else nor advertise with it in that territory. Prints for private walls, and licences sold before, are not affected.',
    uses: ['any'],
    isExclusive: true,
    defaultLicensee: null,
  },
}
