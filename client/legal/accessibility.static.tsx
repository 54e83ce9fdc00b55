import { legalVersions } from '#shared/legal/legal.ts'
import { accessibilityTexts } from '#shared/legal/legal-texts.ts'
import { Mail } from './controller.tsx'
import { LegalDocument } from './document.tsx'

/** The accessibility statement. */
export const Component = () => (
  <LegalDocument
    title={accessibilityTexts.title}
    lead={accessibilityTexts.lead}
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
        thereby EN 301 549. To our knowledge this site meets them, apart from what is listed below.
        This statement is based on our own assessment.
      </p>
    ),
  },
  {
    id: 'measures',
    title: 'What we do about it',
    body: (
      <ul>
        <li>Every page is tested automatically, in both themes, on narrow and wide screens.</li>
        <li>Everything works by keyboard, with visible focus and a skip link.</li>
        <li>Images have human-written descriptions.</li>
        <li>Animations stop when your system asks for reduced motion.</li>
        <li>Pages can be read, and messages sent, without scripts.</li>
      </ul>
    ),
  },
  {
    id: 'limits',
    title: 'What does not work yet',
    body: (
      <ul>
        <li>Client films may lack audio description. Ask us for a written description.</li>
        <li>
          Third-party press material and documents may not be accessible. We are glad to help.
        </li>
        <li>
          Content is in English. Write to us in Finnish or Swedish and we will reply in the same
          language.
        </li>
      </ul>
    ),
  },
  {
    id: 'feedback',
    title: 'Report a problem',
    body: (
      <p>
        Write to <Mail />, naming the page and the browser or assistive technology you use. We reply
        within two weeks and meanwhile send you what you were looking for in another format.
      </p>
    ),
  },
  {
    id: 'authority',
    title: 'Supervision',
    body: (
      <p>
        If our answer does not help, you can contact the Finnish Transport and Communications Agency
        Traficom, which supervises the accessibility of digital services (Act 306/2019):{' '}
        <a href="https://www.saavutettavuusvaatimukset.fi/en">saavutettavuusvaatimukset.fi/en</a>.
      </p>
    ),
  },
]
