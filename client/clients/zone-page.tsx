import { useLoaderData } from 'react-router'
import { clientZoneTexts } from '#shared/clients/client-zone-texts.ts'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head/head.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { CodePrompt } from './code-prompt.tsx'
import { LogOut } from './log-out.tsx'
import { useSessionPage } from './use-session-page.ts'
import type { ZoneData } from './zone-loader.ts'
import styles from './zone-page.module.css'

/**
 * The client zone (docs/contract.md, Clients and panels): the form, or what the visitor's code
 * opens.
 */
export function Component() {
  const session = useLoaderData<ZoneData>()
  useSessionPage(session.signedIn ? session : null)
  return (
    <>
      <Head title={clientZoneTexts.title} description={clientZoneTexts.description} hidden />
      {session.signedIn ? (
        <Hub session={session} />
      ) : (
        <CodePrompt title={clientZoneTexts.title} lead={clientZoneTexts.lead} />
      )}
    </>
  )
}

function Hub({ session }: { session: ZoneData & { signedIn: true } }) {
  const { name, panel, scopes } = session
  const ways = [
    scopes.includes('view') && {
      href: paths.panel(panel),
      title: 'Your panel',
      text: 'Galleries, films and files.',
    },
    scopes.includes('desk') && {
      href: paths.desk(),
      title: 'Desk',
      text: 'Tickets, bookings and orders.',
    },
    scopes.includes('links') && {
      href: paths.shortLinks(),
      title: 'Short links',
      text: 'Create and track short links.',
    },
    scopes.includes('ops') && {
      href: paths.logs(),
      title: 'Server log',
      text: 'Live server log.',
    },
    {
      href: paths.contact(),
      title: 'Contact us',
      text: 'We reply by the next working day.',
      contact: `Message from ${name}`,
    },
  ].filter((way) => way !== false)
  return (
    <div className={`wrap ${styles.hub}`}>
      <p className={`label kerb ${styles.label}`}>Client zone</p>
      <h1>Welcome back, {name}</h1>
      <ul className={styles.ways}>
        {ways.map(({ href, title, text, ...way }) => (
          <li key={title}>
            <a href={href} data-contact={'contact' in way ? way.contact : undefined}>
              <strong>{title}</strong>
              <span>{text}</span>
              <ArrowIcon />
            </a>
          </li>
        ))}
      </ul>
      <LogOut />
    </div>
  )
}
