import { paths } from '#shared/paths.ts'
import { readAgency } from '../content/agency.ts'
import type { Content } from '../content/source.ts'
import type { OverviewPart } from '../overview.ts'

const heading = 'Contact'

/** How the agency is reached; the form at least, whatever content says. */
export const contactOverview = (content: Pick<Content, 'rows'>): OverviewPart[] => [
  { heading, read: () => [{ text: 'Contact form', path: paths.contactPage() }] },
  {
    heading,
    async read() {
      const { email, phone, offices } = await readAgency(content)
      return [
        ...(email ? [{ text: `E-mail: ${email}` }] : []),
        ...(phone ? [{ text: `Telephone: ${phone}` }] : []),
        ...(offices ?? []).map(({ name, city, country }) => ({
          text: `${name}: ${city}, ${country}`,
        })),
      ]
    },
  },
]
