import { paths } from '../paths.ts'

/** A paragraph, or the points of a list. Links are `[words](address)`; `{mail}` becomes the email address. */
export type TermsBlock = string | readonly string[]

/** A section of the terms. */
export type TermsSection = { id: string; title: string; blocks: readonly TermsBlock[] }

/** Stands where the rules of cancelling come in. */
const cancellationMark = '{cancellation}'

/**
 * The text of the terms of service. The page shows it, and every order confirmation has it attached,
 * since a link alone is not a durable medium. Changing it means a new version in `legalVersions`.
 */
const sections: readonly TermsSection[] = [
  {
    id: 'parties',
    title: 'Who we are',
    blocks: [
      'These terms apply to every order you place with us and to your use of this site. What we agree with you in writing takes precedence.',
    ],
  },
  {
    id: 'orders',
    title: 'Offers and orders',
    blocks: [
      'Outside the shop, prices on this site are starting points, not offers. An offer names crew, dates, deliverables, rights and a price, and is open until the day it names, usually 14 days. A contract is formed when you accept it in writing: by the link in our email, or by an email to us. A booking request becomes binding when we confirm it at the price shown. A message through our contact form binds neither of us.',
    ],
  },
  {
    id: 'prices',
    title: 'Prices and payment',
    blocks: [
      'Prices are in euros. Prices of services are shown without value added tax and say so, with the price including tax beside them; prices in the shop include it. The Finnish general rate is 25.5 per cent; for companies in other EU countries reverse charge normally applies. Offers to consumers include tax. Invoices are due within 14 days; interest on late payment follows the Finnish Interest Act. Travel is charged as agreed in the offer.',
    ],
  },
  {
    id: 'shop',
    title: 'Orders in the shop',
    blocks: [
      `Prices in the [shop](${paths.shop()}) are offers, in euros and with value added tax; delivery is added in the cart (its costs are on a page of their own), and the total is shown beside the button before you order. The contract is formed when you click "Order and pay" and our confirmation reaches you. We email it straight away with these terms, for consumers the withdrawal instructions, and the invoice: keep it. You can change everything until you click the button. Contracts are in English; we keep the order and send you a copy on request.`,
      [
        'You pay by bank transfer before delivery, within 7 days, or, where it is offered, by card at the order. Companies that we have agreed it with pay within 14 days of the invoice. Goods are yours once they are paid for.',
        'A discount code counts once it is entered in the cart or at the checkout and the total shows it: one for each order, on the goods that it is for, not on delivery. It ends with its last day or its last use. What you return or withdraw from is refunded at what you paid for it. A code is not exchanged for money.',
        'A gift card pays for anything in the shop, delivery included; what is left stays on it, and one card can be used for each order. It works until the date it was given with, which is in its email: three years from the day it was bought where nothing else was agreed, and never less than one. Anyone who has its code can use it, so keep it as you keep money, and tell us if it is lost: we give the card a new code. What we refund of an order goes back the way it was paid, money first and the rest onto the card, which then works for at least 30 days more.',
        `Goods leave Helsinki within the time given on their page, counted from the payment, or you pick them up there free of charge. [Countries, costs and days](${paths.delivery()}) have a page of their own. Outside the EU, import VAT, customs duty and the carrier’s fee are yours to pay. For consumers, the risk passes on delivery.`,
        'Digital content opens for download as soon as it is paid, if you asked for it at once; otherwise after the right of withdrawal has ended. For companies it opens as soon as it is paid, and at once where we have agreed on payment after delivery. It is delivered in common file formats without copy protection.',
        'Photos and files come with the licence named on their page, in the version in force when you order. No other rights are included, and none with a print.',
        'Companies in other EU countries with a valid VAT ID are billed without value added tax by reverse charge.',
        'We are liable for defects as the law provides. Tell us within a reasonable time, with a photo if you can: we repair, replace, reduce the price or take the goods back.',
      ],
    ],
  },
  {
    id: 'changes',
    title: 'Cancelled and moved bookings',
    blocks: [
      [
        cancellationMark,
        'If the event moves, we move with it free of charge when a crew is available on the new date.',
        'If we cannot come, we find a replacement of the same standard or refund what you have paid.',
        'Neither of us is liable while an event beyond our control lasts.',
      ],
    ],
  },
  {
    id: 'rights',
    title: 'Rights to photos, films and texts',
    blocks: [
      'Copyright stays with its makers. On payment you get the rights named in the order: normally, use in your own channels, by accredited press and by the partners named in the order, for five years and worldwide. Advertising and merchandise need a written licence.',
      'Credits stay where they are customary. We may show the work as a reference unless agreed otherwise. You make sure we have the right to use what you give us.',
    ],
  },
  {
    id: 'liability',
    title: 'Liability',
    blocks: [
      'If something we delivered is not as agreed, tell us within 30 days and we will put it right or reduce the price. Towards businesses, our liability is limited to the fee for the order and excludes indirect loss, except for intent and gross negligence. The mandatory rights of consumers are not affected.',
    ],
  },
  {
    id: 'withdrawal',
    title: 'Consumers: the right of withdrawal',
    blocks: [
      'If you are a consumer and the contract was made at a distance, you may withdraw within 14 days without giving a reason: for services from the day of the contract, for goods from the day on which you received them (Consumer Protection Act 38/1978, chapter 6). Businesses have no such right. An order or a booking is one of a business where it names a company with its VAT ID, and in the shop also where we have agreed with the company on payment after delivery.',
      `For an order in the shop, the shortest way is the page [Withdraw from contract here](${paths.withdraw()}): order number, name and email address, what you withdraw from, then one button, and we email you an acknowledgement with date and time straight away. Any other clear statement is enough as well, such as an email to {mail} with your name and what you ordered. You may use the form below, but it is not obligatory. You meet the deadline if you send it before the 14 days are over; where the last of them is a Saturday, a Sunday, a public holiday or the eve of Midsummer or Christmas, the next working day is the last.`,
      'You can withdraw from a part of your order. We refund what you paid for it, with the standard delivery where you keep no goods of the order, within 14 days of your statement and by the means you paid with. We may withhold the refund until we have the goods back or you have shown that you sent them. You send goods back within 14 days of your statement and bear the direct cost of returning them. You are liable for a loss of value only where goods were handled more than was needed to establish what they are. If you asked us to begin a service during the withdrawal period, you pay for what was done until then.',
      'There is no right of withdrawal for goods made to your specification, for digital content whose delivery began with your consent and your acknowledgement of this, and for leisure services on a set date. We tell you so before you order. Without that consent, digital content opens for download when the right has ended.',
    ],
  },
  {
    id: 'site',
    title: 'Using this site',
    blocks: [
      `You may link to and quote our texts and photos with a credit. Do not try to access what is not meant for you, and keep access codes to yourself; tell us if you lose one. We may change or close parts of the site. Personal data is processed as described in the [privacy policy](${paths.privacyPolicy()}); accessibility help is in the [accessibility statement](${paths.accessibility()}).`,
    ],
  },
  {
    id: 'disputes',
    title: 'Law and disputes',
    blocks: [
      'Finnish law applies, without its rules on conflicts of laws. Disputes between businesses are settled by the District Court of Helsinki. Consumers may sue where they live, and keep the protection of the law there.',
      'Consumers in Finland may first turn to Consumer Advisory Services ([kkv.fi/en](https://www.kkv.fi/en/)) and then bring the matter before the Consumer Disputes Board, Hämeentie 3, P.O. Box 306, 00531 Helsinki ([kuluttajariita.fi/en](https://www.kuluttajariita.fi/en/)).',
    ],
  },
]

/**
 * The terms with the rules that settings have.
 * @param cancellation what cancelling a booking costs, in sentences
 */
export const termsWith = (cancellation: readonly string[]): TermsSection[] =>
  sections.map(({ blocks, ...section }) => ({
    ...section,
    blocks: blocks.map((block) =>
      typeof block === 'string'
        ? block
        : block.flatMap((point) => (point === cancellationMark ? cancellation : [point])),
    ),
  }))

/** The model withdrawal form, without its recipient. */
export const withdrawalFormText =
  'I hereby give notice that I withdraw from my contract for the provision of the following service / the sale of the following goods. Ordered on / received on. Name and address of the consumer. Signature (on paper only). Date.'

/** A piece of text of the terms, with the address it links to; `{mail}` is left for the caller. */
export type TermsSpan = { words: string; href: string | null }

/** Splits a paragraph into plain text, links written `[words](address)`, and `{mail}`. */
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
