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
        Prices on this site are starting points, not offers. An offer names crew, dates,
        deliverables, rights and a price, and is open for 14 days. A contract exists once you have
        accepted it in writing; an e-mail is enough. A message through our contact form binds
        neither of us.
      </p>
    ),
  },
  {
    id: 'prices',
    title: 'Prices and payment',
    body: (
      <p>
        Prices are in euros and, where nothing else is said, without value added tax. The Finnish
        general rate of 25.5 per cent is added, or reverse charge applies. To consumers we quote
        prices with tax. Invoices are due within 14 days; interest on late payment follows the
        Finnish Interest Act. Travel is charged as agreed in the offer.
      </p>
    ),
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
          A clear statement is enough, such as an e-mail to <Mail /> with your name and what you
          ordered. You may use the form below, but need not. We confirm receipt without delay and
          refund every payment, standard delivery included, within 14 days. If you asked us to begin
          at once, you pay for what was done until then.
        </p>
        <p>
          There is no right of withdrawal for goods made to your specification, for digital content
          whose delivery began with your consent and your acknowledgement of this, and for leisure
          services on a set date. We tell you so before you order.
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
