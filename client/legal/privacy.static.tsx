import { useLoaderData } from 'react-router'
import { legalVersions } from '#shared/legal/legal.ts'
import { privacyTexts } from '#shared/legal/legal-texts.ts'
import { hostOf, measuringServices } from '#shared/consent/consent-texts.ts'
import { paths } from '#shared/paths.ts'
import { useSite } from '../site/data/identity.ts'
import { DataTable } from '../ui/lists/data-table.tsx'
import { Controller, Mail } from './controller.tsx'
import { LegalDocument } from './document.tsx'
import type { PrivacyData } from './privacy-loader.ts'

/** The privacy policy. */
export function Component() {
  return (
    <LegalDocument
      title={privacyTexts.title}
      lead={privacyTexts.lead}
      versions={legalVersions.privacy}
      sections={sections}
    />
  )
}

const sections = [
  {
    id: 'controller',
    title: 'Who is responsible',
    body: (
      <>
        <p>The controller of the personal data described here is:</p>
        <Controller />
        <p>
          Write to <Mail /> about anything in this policy. No form or reason is needed.
        </p>
      </>
    ),
  },
  {
    id: 'purposes',
    title: 'What we process, and for how long',
    body: <Purposes />,
  },
  {
    id: 'messages',
    title: 'When you write to us',
    body: (
      <>
        <p>
          Your message is stored on our server under a ticket number. Our mail server sends two
          emails: a confirmation to you and a notice to our staff. If your connection drops while
          you are sending, your browser keeps the message on your device for up to 72 hours and
          tries again.
        </p>
        <p>
          To stop spam we ask for a simple sum and use a hidden field. No outside service checks
          your message.
        </p>
      </>
    ),
  },
  {
    id: 'newsletter',
    title: 'The newsletter',
    body: <Newsletter />,
  },
  {
    id: 'technology',
    title: 'When you visit the site',
    body: (
      <>
        <p>
          By default this site loads nothing from any other company: fonts, images and scripts come
          from our own server, and no one else learns of your visit. Third-party analytics load only
          after you switch them on; what is stored in your browser is listed in the{' '}
          <a href={paths.cookiePolicy()}>cookie policy</a>.
        </p>
        <p>
          We count by day how often pages are opened and forms are used, which sites and campaigns
          visits come from, and how many of those end in a message, a booking request, an order or a
          newsletter sign-up. The counts hold no personal data: no cookies, no identifiers, no IP
          addresses, and nothing is stored in your browser for them. To opt out, use the analytics
          switch in the cookie preferences or your browser’s Do Not Track setting.
        </p>
        <p>
          The server logs each request: time, path without its query, status, and your IP address
          with its last part removed, so it cannot identify you.
        </p>
      </>
    ),
  },
  {
    id: 'recipients',
    title: 'Who we share it with',
    body: <Recipients />,
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>Under the General Data Protection Regulation you can at any time</p>
        <ul>
          <li>ask whether we hold data about you, and get a copy of it (Art. 15),</li>
          <li>have it corrected (Art. 16), erased (Art. 17) or restricted (Art. 18),</li>
          <li>get it in a machine-readable format, to take elsewhere (Art. 20),</li>
          <li>object to processing based on our legitimate interest (Art. 21),</li>
          <li>withdraw your consent; what was done before stays lawful (Art. 7).</li>
        </ul>
        <p>
          Write to <Mail />, with your ticket number if you have one. We reply within one month.
          Invoices and accounting records are kept for as long as the Accounting Act requires.
        </p>
      </>
    ),
  },
  {
    id: 'complaint',
    title: 'If you disagree with us',
    body: (
      <>
        <p>
          Tell us first: it is usually quickest. You can also complain to the supervisory authority
          where you live or work; in Finland that is the Office of the Data Protection Ombudsman:
        </p>
        <p>
          Office of the Data Protection Ombudsman
          <br />
          P.O. Box 800, 00531 Helsinki, Finland
          <br />
          <a href="https://tietosuoja.fi/en">tietosuoja.fi/en</a>
        </p>
      </>
    ),
  },
  {
    id: 'safety',
    title: 'How we protect it',
    body: (
      <p>
        Connections are encrypted. Access codes are stored only as keyed hashes, so we cannot read
        them. Messages never appear in logs. Only the people who reply to you have access.
      </p>
    ),
  },
]

/** Our own list, or that of a service, whose ways we can't vouch for. */
function Newsletter() {
  const list = useSite()?.config?.newsletter
  if (list && !list.own) {
    return (
      <p>
        The service at {hostOf(list.action)} keeps the list and sends the newsletter. How it
        confirms your address, and whether it records who opens or clicks what, is set out in its
        own privacy policy. You can unsubscribe at any time, there or by writing to us.
      </p>
    )
  }
  return (
    <p>
      You receive it only after clicking a link that we email to you (double opt-in), so no one else
      can subscribe you. Every issue has an unsubscribe link that works immediately. We do not track
      who opens or clicks what.
    </p>
  )
}

/** The table of purposes, which the server collects from its features. */
function Purposes() {
  const { rows } = useLoaderData<PrivacyData>()
  return (
    <>
      <p>
        You can read this whole site without telling us who you are. Data about you comes from you,
        with two exceptions: who has a gift card made for you tells us your name and email address,
        and if you give us a VAT ID, the European Commission&apos;s VIES service tells us whether
        it&apos;s valid and whose it is. We buy none.
      </p>
      <DataTable
        label="Purposes, data, legal bases and retention periods"
        columns={['Purpose', 'Data', 'Legal basis', 'Kept']}
        rows={rows.map(({ what, data, ground, kept }) => ({
          key: what,
          cells: [what, data, ground, kept],
        }))}
      />
      <p>
        You do not have to give us any of it, but without an address we cannot answer a message. We
        make no automated decisions about you and do no profiling.
      </p>
    </>
  )
}

/** Who gets personal data. Services of others are there only where the configuration names them. */
function Recipients() {
  const config = useSite()?.config
  const analytics = config?.analytics
  return (
    <ul>
      <li>
        The companies that host our server and our mailboxes, on our instructions and under a data
        processing agreement. We will tell you who they are on request.
      </li>
      <li>
        Colleagues in our offices in the United Kingdom and the United States, when a message
        concerns their region. The European Commission&apos;s adequacy decision covers the former,
        its standard contractual clauses the latter.
      </li>
      <li>
        The people who work on your booking: its dates and place, your name, company, phone number,
        email address and message.
      </li>
      <li>
        For orders and invoices: the carrier that delivers your parcel, our bank, our bookkeeper,
        and a collection agency if an invoice stays unpaid after two reminders.
      </li>
      <li>
        Stripe, if you pay by card. It asks for your card details, which we never see, and gets your
        email address and what you pay for from us.
      </li>
      <li>VIES, if you give us a VAT ID: that number.</li>
      {config && !config.newsletter.own && (
        <li>
          The newsletter service at {hostOf(config.newsletter.action)}, if you subscribe: your email
          address, and your name if you give it. It sends you the newsletter.
        </li>
      )}
      {analytics && (
        <li>
          {measuringServices(analytics).join(' and ')}, if you allow third-party analytics: the
          pages you visit and your IP address.
          {analytics.measurementId && ' Google Analytics also reads its cookies.'}
        </li>
      )}
      <li>Authorities, where the law requires it.</li>
    </ul>
  )
}
