import { legalVersions } from '#shared/legal/legal.ts'
import { cookieTexts } from '#shared/legal/legal-texts.ts'
import { paths } from '#shared/paths.ts'
import { storageRegistry } from '#shared/consent/storage-registry.ts'
import { opensPreferences } from '../consent/opens-preferences.ts'
import { useSite } from '../site/data/identity.ts'
import button from '../ui/button.module.css'
import { DataTable } from '../ui/lists/data-table.tsx'
import { LegalDocument } from './document.tsx'

/** The cookie policy. Its table shows `storageRegistry`. */
export const Component = () => (
  <LegalDocument
    title={cookieTexts.title}
    lead={cookieTexts.lead}
    versions={legalVersions.cookies}
    sections={[
      {
        id: 'consent',
        title: 'Your choice',
        body: (
          <>
            <p>
              Under section 205 of the Finnish Act on Electronic Communications Services, what a
              site needs to work may be stored without asking; everything else needs your consent
              first. This applies to cookies and to every other kind of browser storage.
            </p>
            <p>
              Rejecting is as easy as accepting. The analytics switch covers our own daily count of
              page views, and of where visits come from and what they end in, which stores nothing
              in your browser and holds nothing about you; it is on until you switch it off.
              Third-party analytics, where used, have a switch of their own and load only after you
              click Accept all or switch them on. Change your mind at any time:
            </p>
            <p>
              <button type="button" className={button.button} {...opensPreferences}>
                Cookie preferences
              </button>
              <noscript>
                The preferences need JavaScript; without it, nothing optional is stored.
              </noscript>
            </p>
          </>
        ),
      },
      { id: 'list', title: 'What is stored', body: <Stored /> },
      {
        id: 'delete',
        title: 'How to remove it',
        body: (
          <p>
            Your browser lists and deletes what sites have stored, usually under privacy or site
            data. Nothing on this site breaks if you do: it forgets your theme and asks about
            cookies again. How we process personal data is described in the{' '}
            <a href={paths.privacyPolicy()}>privacy policy</a>.
          </p>
        ),
      },
    ]}
  />
)

const stores = { cookie: 'Cookie', local: 'Local storage', session: 'Session storage' }

function Stored() {
  const analytics = useSite()?.config?.analytics
  const measures = Boolean(analytics)
  const items = storageRegistry.filter(
    ({ measuring, party }) =>
      (measures || !measuring) && (party === 'first' || Boolean(analytics?.measurementId)),
  )
  const categories = [...new Set(items.map(({ category }) => category))]
  return (
    <>
      {categories.map((category) => (
        <div key={category}>
          <h3>{category.charAt(0).toUpperCase() + category.slice(1)}</h3>
          <DataTable
            label={`What is stored: ${category}`}
            columns={['Name', 'Kind', 'Purpose', 'Kept', 'By']}
            rows={items
              .filter((item) => item.category === category)
              .map(({ name, store, purpose, duration, party }) => ({
                key: `${store} ${name}`,
                cells: [
                  name,
                  stores[store],
                  purpose,
                  duration,
                  party === 'first' ? 'This site' : party,
                ],
              }))}
          />
        </div>
      ))}
      {!measures && (
        <p>
          This site uses no third-party analytics or advertising, so nothing is stored for either,
          whatever you choose.
        </p>
      )}
    </>
  )
}
