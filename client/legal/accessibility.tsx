import { legalVersions } from '#shared/legal.ts'
import { Mail } from './controller.tsx'
import { LegalDocument } from './document.tsx'

/** The accessibility statement. */
export const Accessibility = () => (
  <LegalDocument
    title="Accessibility statement"
    lead="This site is meant for everybody: by keyboard, by ear, on one bar of signal and in bright sunlight."
    versions={legalVersions.accessibility}
    sections={sections}
  />
)

const sections = [
  {
    id: 'status',
    title: 'How accessible it is',
    body: (
      <p>
        We build and test against the Web Content Accessibility Guidelines (WCAG) 2.2, level AA, and
        thereby EN 301 549. To our knowledge the pages of this site meet them, apart from what is
        listed below. The statement rests on our own assessment.
      </p>
    ),
  },
  {
    id: 'measures',
    title: 'What we do for it',
    body: (
      <ul>
        <li>Every page is tested automatically, in both themes, on narrow and wide screens.</li>
        <li>
          Everything works by keyboard, with a visible focus and a link that skips to the content.
        </li>
        <li>Pictures have descriptions written by people who saw them.</li>
        <li>Motion stops where your system asks for less of it.</li>
        <li>Pages can be read, and messages sent, without scripts.</li>
      </ul>
    ),
  },
  {
    id: 'limits',
    title: 'What does not work yet',
    body: (
      <ul>
        <li>Films of clients may lack audio description. Ask us for a description in words.</li>
        <li>Press texts and documents from others may not be accessible; we gladly help.</li>
        <li>
          Content is in English. Write to us in Finnish or Swedish, and you get an answer in the
          same language.
        </li>
      </ul>
    ),
  },
  {
    id: 'feedback',
    title: 'Tell us about an obstacle',
    body: (
      <p>
        Write to <Mail />, and say on which page you were and what you use. We answer within two
        weeks and send you what you were looking for in another form meanwhile.
      </p>
    ),
  },
  {
    id: 'authority',
    title: 'Supervision',
    body: (
      <p>
        If our answer does not help, you may turn to the Finnish Transport and Communications Agency
        Traficom, which supervises the accessibility of digital services (Act 306/2019):{' '}
        <a href="https://www.saavutettavuusvaatimukset.fi/en">saavutettavuusvaatimukset.fi/en</a>.
      </p>
    ),
  },
]
