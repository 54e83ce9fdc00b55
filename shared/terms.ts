import { paths } from './paths.ts'

/** A paragraph, or the points of a list. Links are `[words](address)`; `{mail}` is where to write to. */
export type TermsBlock = string | readonly string[]

/**
 * The words of the terms of service: the page shows them, and every confirmation of an order carries
 * them as a file, since a link alone is no durable medium. A change of them is a new version in
 * `legalVersions`.
 */
export const termsSections: readonly {
  id: string
  title: string
  blocks: readonly TermsBlock[]
}[] = [
  {
    id: 'parties',
    title: 'Who we are',
    blocks: [
      'These terms apply to every order that you place with us and to the use of this site. What we agree with you in writing goes before them.',
    ],
  },
  {
    id: 'orders',
    title: 'Offers and orders',
    blocks: [
      'Outside the shop, prices on this site are starting points, not offers. An offer names crew, dates, deliverables, rights and a price, and is open for 14 days. A contract exists once you have accepted it in writing; an e-mail is enough. A message through our contact form binds neither of us.',
    ],
  },
  {
    id: 'prices',
    title: 'Prices and payment',
    blocks: [
      'Prices are in euros and, outside the shop and where nothing else is said, without value added tax. The Finnish general rate of 25.5 per cent is added, or reverse charge applies. To consumers we quote prices with tax. Invoices are due within 14 days; interest on late payment follows the Finnish Interest Act. Travel is charged as agreed in the offer.',
    ],
  },
  {
    id: 'shop',
    title: 'Orders in the shop',
    blocks: [
      `Prices in the [shop](${paths.shop()}) are offers, in euros and with value added tax; delivery is added in the cart and the sum stands beside the button before you order. The contract exists when you press "Order and pay" and our confirmation reaches you. It comes by mail at once with these terms, the instructions on withdrawal and the invoice: keep it. You can correct everything until you press the button. Contracts are made in English; we keep the order and send you a copy when you ask.`,
      [
        'You pay by invoice within 14 days or, where it is offered, by card at the order. Things are yours when they are paid.',
        'Goods are sent from Helsinki within three working days, those made to order within the time that their page names. The risk passes to consumers when they receive them.',
        'Digital content opens for download as soon as it is paid, if you asked for it at once; otherwise after 14 days. It comes as common files without copy protection.',
        'Photos and files come with the licence that their page names, in the version that was in force at your order. No other rights are sold with them, and none with a print.',
        'Companies of other EU countries with a valid VAT id are billed without value added tax by reverse charge.',
        'The law makes us answer for defects. Tell us within a reasonable time, with a picture if you can: we repair, replace, reduce the price or take it back.',
      ],
    ],
  },
  {
    id: 'changes',
    title: 'Cancelled and moved events',
    blocks: [
      [
        'If the organiser cancels more than 14 days ahead, you pay only travel that nobody refunds.',
        "Later than that, half of the fee is due, since the crew is yours and nobody else's.",
        'A moved event moves with us, free of charge, when a crew is free on the new date.',
        'If we cannot come, we find a replacement of the same standard or refund what you have paid.',
        'Events that neither of us controls release both, for as long as they last.',
      ],
    ],
  },
  {
    id: 'rights',
    title: 'Rights to pictures, films and texts',
    blocks: [
      'Copyright stays with its makers. With payment you get the rights that the order names: as a rule, use in your own channels, by accredited press and by the partners named in the order, for five years and worldwide. Advertising and merchandise need a written licence.',
      'Credits stay where they are customary. We may show the work as a reference unless we have agreed otherwise. You make sure that what you give us may be used.',
    ],
  },
  {
    id: 'liability',
    title: 'What we answer for',
    blocks: [
      'If something that we delivered is not as agreed, tell us within 30 days and we put it right, or reduce the price. Towards businesses our liability ends at the fee for the order and leaves out indirect loss, except for intent and gross negligence. The mandatory rights of consumers are untouched.',
    ],
  },
  {
    id: 'withdrawal',
    title: 'Consumers: the right of withdrawal',
    blocks: [
      'If you are a consumer and the contract was made at a distance, you may withdraw within 14 days without giving a reason: for services from the day of the contract, for goods from the day on which you received them (Consumer Protection Act 38/1978, chapter 6).',
      `For an order in the shop, the shortest way is the page [Withdraw from contract here](${paths.withdraw()}): order number, name and e-mail address, then one button, and the acknowledgement with date and time comes by mail at once. Any other clear statement is enough as well, such as an e-mail to {mail} with your name and what you ordered. You may use the form below, but need not. It is in time if you send it before the 14 days are over.`,
      'We refund every payment, standard delivery included, within 14 days of your statement and by the way you paid, and may wait with that until the goods are back or you have shown that you sent them. You send goods back within 14 days of your statement and bear the direct cost of that. You answer for a loss of value only where goods were handled more than was needed to see what they are. If you asked us to begin a service at once, you pay for what was done until then.',
      'There is no right of withdrawal for goods made to your specification, for digital content whose delivery began with your consent and your acknowledgement of this, and for leisure services on a set date. We tell you so before you order. Without that consent the download of digital content opens when the 14 days are over.',
    ],
  },
  {
    id: 'site',
    title: 'Using this site',
    blocks: [
      `Texts and pictures may be linked to and quoted with a credit. Do not try to reach what is not meant for you, and keep secret codes to yourself; tell us if one has got lost. We may change or close parts of the site. Personal data is handled as the [privacy policy](${paths.privacyPolicy()}) says; how to get round obstacles is in the [accessibility statement](${paths.accessibility()}).`,
    ],
  },
  {
    id: 'disputes',
    title: 'Law and disputes',
    blocks: [
      'Finnish law applies, without its rules on conflicts of laws. Disputes between businesses are settled by the District Court of Helsinki. A consumer may sue at home, and keeps the protection of the law there.',
      'Consumers in Finland may first turn to Consumer Advisory Services ([kkv.fi/en](https://www.kkv.fi/en/)) and then bring the matter before the Consumer Disputes Board, Hämeentie 3, P.O. Box 306, 00531 Helsinki ([kuluttajariita.fi/en](https://www.kuluttajariita.fi/en/)).',
    ],
  },
]

/** The form of withdrawal, without whom it goes to. */
export const withdrawalFormText =
  'I hereby give notice that I withdraw from my contract for the provision of the following service / the sale of the following goods. Ordered on / received on. Name and address of the consumer. Signature (on paper only). Date.'

/** A run of words of the terms, with where it leads to; `{mail}` comes as it is. */
export type TermsSpan = { words: string; href: string | null }

/** The runs of words of a paragraph: links are `[words](address)`, `{mail}` stands by itself. */
export function termsSpans(text: string): TermsSpan[] {
  const [first = '', ...linked] = text.split('[')
  return [
    ...plainSpans(first),
    ...linked.flatMap((piece) => {
      const [words = '', after = ''] = piece.split('](')
      const end = after.indexOf(')')
      return [{ words, href: after.slice(0, end) }, ...plainSpans(after.slice(end + 1))]
    }),
  ]
}

const plainSpans = (text: string): TermsSpan[] =>
  text
    .split(/({mail})/)
    .filter(Boolean)
    .map((words) => ({ words, href: null }))
