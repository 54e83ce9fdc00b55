import { legalVersions } from '#shared/legal.ts'
import { paths } from '#shared/paths.ts'
import { useIdentity } from '../site/identity.ts'
import { Controller, Mail } from './controller.tsx'
import { LegalDocument } from './document.tsx'

/** The terms of service. */
export const Terms = () => (
  <LegalDocument
    title="Terms of service"
    lead="What you can expect from us, what we expect from you, and what happens when the weather has other plans."
    versions={legalVersions.terms}
    sections={sections}
  />
)

function Form() {
  const { legal_name: legalName, brand, street, postal_code: code, city } = useIdentity()
  const to = [legalName ?? brand, street, [code, city].filter(Boolean).join(' ')]
  return (
    <blockquote>
      <p>
        To {to.filter(Boolean).join(', ')}: I hereby give notice that I withdraw from my contract
        for the provision of the following service / the sale of the following goods. Ordered on /
        received on. Name and address of the consumer. Signature (on paper only). Date.
      </p>
    </blockquote>
  )
}

/** What counts for the shop beside the rest. */
const Shop = () => (
  <>
    <p>
      Prices in the <a href={paths.shop()}>shop</a> are offers, in euros and with value added tax;
      delivery is added in the cart and the sum stands beside the button before you order. The
      contract exists when you press &quot;Order and pay&quot; and our confirmation reaches you. It
      comes by mail at once with these terms, the instructions on withdrawal and the invoice: keep
      it. You can correct everything until you press the button. Contracts are made in English; we
      keep the order and send you a copy when you ask.
    </p>
    <ul>
      <li>
        You pay by invoice within 14 days or, where it is offered, by card at the order. Things are
        yours when they are paid.
      </li>
      <li>
        Goods are sent from Helsinki within three working days, those made to order within the time
        that their page names. The risk passes to consumers when they receive them.
      </li>
      <li>
        Digital content opens for download as soon as it is paid, if you asked for it at once;
        otherwise after 14 days. It comes as common files without copy protection.
      </li>
      <li>
        Photos and files come with the licence that their page names, in the version that was in
        force at your order. No other rights are sold with them, and none with a print.
      </li>
      <li>
        Companies of other EU countries with a valid VAT id are billed without value added tax by
        reverse charge.
      </li>
      <li>
        The law makes us answer for defects. Tell us within a reasonable time, with a picture if you
        can: we repair, replace, reduce the price or take it back.
      </li>
    </ul>
  </>
)

const sections = [
  {
    id: 'parties',
    title: 'Who we are',
    body: (
      <>
        <Controller />
        <p>
          These terms apply to every order that you place with us and to the use of this site. What
          we agree with you in writing goes before them.
        </p>
      </>
    ),
  },
  {
    id: 'orders',
    title: 'Offers and orders',
    body: (
      <p>
        Outside the shop, prices on this site are starting points, not offers. An offer names crew,
        dates, deliverables, rights and a price, and is open for 14 days. A contract exists once you
        have accepted it in writing; an e-mail is enough. A message through our contact form binds
        neither of us.
      </p>
    ),
  },
  {
    id: 'prices',
    title: 'Prices and payment',
    body: (
      <p>
        Prices are in euros and, outside the shop and where nothing else is said, without value
        added tax. The Finnish general rate of 25.5 per cent is added, or reverse charge applies. To
        consumers we quote prices with tax. Invoices are due within 14 days; interest on late
        payment follows the Finnish Interest Act. Travel is charged as agreed in the offer.
      </p>
    ),
  },
  {
    id: 'shop',
    title: 'Orders in the shop',
    body: <Shop />,
  },
  {
    id: 'changes',
    title: 'Cancelled and moved events',
    body: (
      <ul>
        <li>
          If the organiser cancels more than 14 days ahead, you pay only travel that nobody refunds.
        </li>
        <li>
          Later than that, half of the fee is due, since the crew is yours and nobody else&apos;s.
        </li>
        <li>A moved event moves with us, free of charge, when a crew is free on the new date.</li>
        <li>
          If we cannot come, we find a replacement of the same standard or refund what you have
          paid.
        </li>
        <li>Events that neither of us controls release both, for as long as they last.</li>
      </ul>
    ),
  },
  {
    id: 'rights',
    title: 'Rights to pictures, films and texts',
    body: (
      <>
        <p>
          Copyright stays with its makers. With payment you get the rights that the order names: as
          a rule, use in your own channels, by accredited press and by the partners named in the
          order, for five years and worldwide. Advertising and merchandise need a written licence.
        </p>
        <p>
          Credits stay where they are customary. We may show the work as a reference unless we have
          agreed otherwise. You make sure that what you give us may be used.
        </p>
      </>
    ),
  },
  {
    id: 'liability',
    title: 'What we answer for',
    body: (
      <p>
        If something that we delivered is not as agreed, tell us within 30 days and we put it right,
        or reduce the price. Towards businesses our liability ends at the fee for the order and
        leaves out indirect loss, except for intent and gross negligence. The mandatory rights of
        consumers are untouched.
      </p>
    ),
  },
  {
    id: 'withdrawal',
    title: 'Consumers: the right of withdrawal',
    body: (
      <>
        <p>
          If you are a consumer and the contract was made at a distance, you may withdraw within 14
          days without giving a reason: for services from the day of the contract, for goods from
          the day on which you received them (Consumer Protection Act 38/1978, chapter 6).
        </p>
        <p>
          For an order in the shop, the shortest way is the page{' '}
          <a href={paths.withdraw()}>Withdraw from contract here</a>: order number, name and e-mail
          address, then one button, and the acknowledgement with date and time comes by mail at
          once. Any other clear statement is enough as well, such as an e-mail to <Mail /> with your
          name and what you ordered. You may use the form below, but need not. It is in time if you
          send it before the 14 days are over.
        </p>
        <p>
          We refund every payment, standard delivery included, within 14 days of your statement and
          by the way you paid, and may wait with that until the goods are back or you have shown
          that you sent them. You send goods back within 14 days of your statement and bear the
          direct cost of that. You answer for a loss of value only where goods were handled more
          than was needed to see what they are. If you asked us to begin a service at once, you pay
          for what was done until then.
        </p>
        <p>
          There is no right of withdrawal for goods made to your specification, for digital content
          whose delivery began with your consent and your acknowledgement of this, and for leisure
          services on a set date. We tell you so before you order. Without that consent the download
          of digital content opens when the 14 days are over.
        </p>
        <h3>Form of withdrawal</h3>
        <Form />
      </>
    ),
  },
  {
    id: 'site',
    title: 'Using this site',
    body: (
      <p>
        Texts and pictures may be linked to and quoted with a credit. Do not try to reach what is
        not meant for you, and keep secret codes to yourself; tell us if one has got lost. We may
        change or close parts of the site. Personal data is handled as the{' '}
        <a href={paths.privacyPolicy()}>privacy policy</a> says; how to get round obstacles is in
        the <a href={paths.accessibility()}>accessibility statement</a>.
      </p>
    ),
  },
  {
    id: 'disputes',
    title: 'Law and disputes',
    body: (
      <>
        <p>
          Finnish law applies, without its rules on conflicts of laws. Disputes between businesses
          are settled by the District Court of Helsinki. A consumer may sue at home, and keeps the
          protection of the law there.
        </p>
        <p>
          Consumers in Finland may first turn to Consumer Advisory Services (
          <a href="https://www.kkv.fi/en/">kkv.fi/en</a>) and then bring the matter before the
          Consumer Disputes Board, Hämeentie 3, P.O. Box 306, 00531 Helsinki (
          <a href="https://www.kuluttajariita.fi/en/">kuluttajariita.fi/en</a>).
        </p>
      </>
    ),
  },
]
