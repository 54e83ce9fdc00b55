import { contactSectionTexts } from '#shared/contact/contact-form.ts'
import { paths } from '#shared/paths.ts'
import { officesOf, readAgency } from '../content/agency.ts'
import type { Content } from '../content/source.ts'
import type { OverviewPart } from '../contributions/overview.ts'
import {
  pageTimeout,
  searchPage,
  searchText,
  type SearchDocument,
} from '../contributions/search-source.ts'
import { withTimeout } from '../concurrency/timeout.ts'

const heading = 'Contact'

/** llms.txt: how the agency is reached; the form at least, whatever content says. */
export const contactOverview = (content: Pick<Content, 'rows'>): OverviewPart[] => [
  { heading, read: () => [{ text: 'Contact form', path: paths.contactPage() }] },
  {
    heading,
    async read() {
      const { email, phone, offices } = await readAgency(content)
      return [
        ...(email ? [{ text: `Email: ${email}` }] : []),
        ...(phone ? [{ text: `Phone: ${phone}` }] : []),
        ...(offices ?? []).map(({ name, city, country }) => ({
          text: `${name}: ${city}, ${country}`,
        })),
      ]
    },
  },
]

/** The search: the place on the home page where visitors write, with the ways to reach the agency. */
export async function contactSearchPage(content: Pick<Content, 'rows'>): Promise<SearchDocument> {
  const [settings] = await withTimeout(content.rows('settings'), pageTimeout).catch(() => [])
  return searchPage(paths.contact(), contactSectionTexts, {
    names: ['contact us', 'message', 'e-mail', 'email', 'telephone', 'phone', 'address', 'offices'],
    intro: searchText(
      settings?.email,
      settings?.phone,
      settings?.street,
      searchText(settings?.postal_code, settings?.city, settings?.country),
      officesOf(settings),
    ),
  })
}
