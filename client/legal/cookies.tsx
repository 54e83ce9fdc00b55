import { legalVersions } from '#shared/legal.ts'
import { paths } from '#shared/paths.ts'
import { storageRegistry } from '#shared/storage-registry.ts'
import { opensPreferences } from '../consent/opens-preferences.ts'
import { useSite } from '../site/identity.ts'
import button from '../ui/button.module.css'
import { DataTable } from '../ui/data-table.tsx'
import { LegalDocument } from './document.tsx'

/** The cookie policy; what is stored stands in one registry, of which this is a view. */
export const Cookies = () => (
  <LegalDocument
    title="Cookie policy"
    lead="Everything that this site may keep in your browser, by name. The list is made from the same register that our tests hold the site to."
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
              first. That holds for cookies and for every other kind of storage in a browser.
            </p>
            <p>
              Refusing takes one press, as accepting does. The analytics switch is about our own
              count of page views by day, which stores nothing in your browser and knows nothing
              about you; it is on until you switch it off. A measuring service of another company,
              where there is one, has a switch of its own and loads only after you press Accept all
              or switch it on yourself. Change your mind whenever you like:
            </p>
            <p>
              <button type="button" className={button.button} {...opensPreferences}>
                Cookie preferences
              </button>
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
            Your browser shows and deletes what sites have stored, usually under privacy or site
            data. Nothing on this site breaks for good when you do: it forgets your theme and asks
            about cookies once more. How we handle data about you is described in the{' '}
            <a href={paths.privacyPolicy()}>privacy policy</a>.
          </p>
        ),
      },
    ]}
  />
)

const stores = { cookie: 'Cookie', local: 'Local storage', session: 'Session storage' }

function Stored() {
  const measures = Boolean(useSite()?.config?.analytics)
  const items = storageRegistry.filter(({ measuring }) => measures || !measuring)
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
          No measuring or advertising service is set up on this site at present, so nothing is
          stored for one whatever you choose.
        </p>
      )}
    </>
  )
}
