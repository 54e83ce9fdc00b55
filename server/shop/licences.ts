/** A licence that comes with digital goods; each change of its text is a new version. */
export type Licence = { name: string; version: string; summary: string; text: string }

/** The licences by the name that products give. */
export const licences: Readonly<Record<string, Licence>> = {
  personal: {
    name: 'Personal licence',
    version: '1.0',
    summary: 'For you alone: on your own screens and prints, not for publication or resale.',
    text: 'You may use the files on your own devices and print them for your own walls. You may not publish them, pass them on, sell them or use them for anything that earns money. The rights stay with us.',
  },
  'royalty-free': {
    name: 'Royalty-free licence',
    version: '1.0',
    summary:
      'Paid once, used as often as you like in your own work, also commercially; not resold as it is.',
    text: 'You may use the files in your own designs, films and publications, commercially too, without further payment and without a limit of time or place. You may not sell or pass on the files themselves, or as part of a collection of files.',
  },
  editorial: {
    name: 'Editorial licence',
    version: '1.0',
    summary:
      'One publication in news or reporting, in print and online, with our credit; no advertising.',
    text: 'You may publish the picture once in a news or reporting context, in print and in the online edition of the same medium, for as long as the article stands. The credit has to stand beside it. Advertising, merchandise and use by sponsors are not included.',
  },
  commercial: {
    name: 'Commercial licence',
    version: '1.0',
    summary: 'Advertising and own channels of one company, worldwide, for two years.',
    text: 'One company may use the picture in its advertising, on its website, in its own channels and in print, worldwide, for two years from the day of purchase. The licence may be handed to an agency that works for that company, and to nobody else.',
  },
  exclusive: {
    name: 'Exclusive licence',
    version: '1.0',
    summary: 'As the commercial licence, and nobody else gets the picture for the same time.',
    text: 'One company may use the picture as under the commercial licence, for two years from the day of purchase. During that time we license the picture to nobody else and take it out of the shop. Our right to show it as our own work stays.',
  },
}
