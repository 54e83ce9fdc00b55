import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head.tsx'
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
      <Head
        title="Client zone"
        description="Galleries, files and messages of our clients, behind their secret code."
        hidden
      />
      {session.signedIn ? (
        <Hub session={session} />
      ) : (
        <CodePrompt
          title="Client zone"
          lead="Your galleries, films, files and messages in one place. The code that we sent you opens it."
        />
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
      text: 'Galleries, films, files and messages.',
    },
    scopes.includes('links') && {
      href: paths.shortLinks(),
      title: 'Short links',
      text: 'Make them, share them, count their clicks.',
    },
    scopes.includes('ops') && {
      href: paths.logs(),
      title: 'Server log',
      text: 'What the site is doing right now.',
    },
    {
      href: paths.contact(),
      title: 'Write to us',
      text: 'A person in Helsinki reads every message.',
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
