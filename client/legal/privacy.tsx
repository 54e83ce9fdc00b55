import { useLoaderData } from 'react-router'
import { legalVersions } from '#shared/legal.ts'
import { paths } from '#shared/paths.ts'
import { DataTable } from '../ui/data-table.tsx'
import { Controller, Mail } from './controller.tsx'
import { LegalDocument } from './document.tsx'
import type { PrivacyData } from './privacy-loader.ts'

/** The privacy policy. */
export function Privacy() {
  return (
    <LegalDocument
      title="Privacy policy"
      lead="What we know of you, why we know it, and when we forget it again. In short: only what you send us, for as long as we need it."
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
          Write to <Mail /> about anything in this policy. You do not need a form or a reason.
        </p>
      </>
    ),
  },
  {
    id: 'purposes',
    title: 'What we handle, and for how long',
    body: <Purposes />,
  },
  {
    id: 'messages',
    title: 'When you write to us',
    body: (
      <>
        <p>
          Your message is stored on our server under a ticket number. Two e-mails leave our mail
          server by SMTP: a confirmation to you, and a notice to our staff. If your connection
          breaks while you send, your browser keeps the message for up to 72 hours and tries again;
          it never leaves your device in another way.
        </p>
        <p>
          Against spam we ask for a small sum and use a hidden field. No outside service checks your
          message.
        </p>
      </>
    ),
  },
  {
    id: 'newsletter',
    title: 'The newsletter',
    body: (
      <p>
        You get it only after confirming a link that we mail to you (double opt-in), so that nobody
        can subscribe you. Every issue carries a link that ends it at once. We do not measure who
        opens or clicks what.
      </p>
    ),
  },
  {
    id: 'technology',
    title: 'What happens when you look at a page',
    body: (
      <>
        <p>
          By default this site loads nothing from any other company: fonts, pictures and scripts
          come from our own server, and nobody else learns that you were here. Measuring services of
          others load only after you switch them on yourself; what is stored in your browser is
          listed in the <a href={paths.cookiePolicy()}>cookie policy</a>.
        </p>
        <p>
          We count by day how often each kind of page is opened and its forms are used. The count
          holds numbers and nothing about you: no cookie, no identifier, no address. The analytics
          switch of the cookie preferences ends it for your browser, as does asking all sites not to
          track you.
        </p>
        <p>
          The server writes a line for each request: time, path without its query, status, and your
          network address without its last part, so that it leads to a neighbourhood and not to you.
        </p>
      </>
    ),
  },
  {
    id: 'recipients',
    title: 'Who else sees it',
    body: (
      <ul>
        <li>
          The companies that run our server and our mailboxes, who act on our instructions under a
          data processing agreement. Their names are yours for the asking.
        </li>
        <li>
          Colleagues in our offices in the United Kingdom and the United States, where a message
          concerns their region. The European Commission&apos;s adequacy decision covers the former,
          its standard contractual clauses the latter.
        </li>
        <li>Authorities, where a law obliges us to answer them.</li>
      </ul>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>Under the General Data Protection Regulation you may at any time</p>
        <ul>
          <li>ask whether we hold data about you, and get a copy of it (Art. 15),</li>
          <li>have it corrected (Art. 16), erased (Art. 17) or restricted (Art. 18),</li>
          <li>get it in a form that machines can read, to take elsewhere (Art. 20),</li>
          <li>object to what rests on our legitimate interest (Art. 21),</li>
          <li>withdraw a consent; what was done before stays lawful (Art. 7).</li>
        </ul>
        <p>
          Write to <Mail /> and name your ticket number if you have one. We answer within one month.
          Invoices and vouchers stay as long as the Accounting Act demands.
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
          Tell us first, it is usually the quickest way. You may also complain to the supervisory
          authority where you live or work; in Finland that is the Office of the Data Protection
          Ombudsman:
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
    title: 'How it is kept safe',
    body: (
      <p>
        Connections are encrypted. Secret codes are stored as keyed hashes only, so that we could
        not read them if we wanted to. Messages never appear in logs. Access is limited to the
        people who answer you.
      </p>
    ),
  },
]

/** What data is for, in a table that the server makes from what its features keep. */
function Purposes() {
  const { rows } = useLoaderData<PrivacyData>()
  return (
    <>
      <p>
        You can read this whole site without telling us who you are. Data about you comes from you
        alone: we buy none and collect none elsewhere.
      </p>
      <DataTable
        label="Purposes, data, grounds and periods"
        columns={['Purpose', 'Data', 'Ground', 'Kept']}
        rows={rows.map(({ what, data, ground, kept }) => ({
          key: what,
          cells: [what, data, ground, kept],
        }))}
      />
      <p>
        You are not obliged to give us any of it. Without an address, though, we cannot answer a
        message. No decision about you is made by a machine alone, and nobody is profiled.
      </p>
    </>
  )
}
