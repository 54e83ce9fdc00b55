import type { Block, Panel } from '#shared/clients/clients.ts'
import type { BlockRow } from '#shared/clients/panel-block.ts'
import { paths } from '#shared/paths.ts'
import { LastDay } from '../ui/text/last-day.tsx'
import button from '../ui/button.module.css'
import { resultPlace } from '../forms/result.ts'
import { BlockView, Rows } from './block-view.tsx'
import styles from './panel-view.module.css'
import { LogOut } from './log-out.tsx'

/** A client's panel: what we delivered, what is under way, and who did what. */
export function PanelView({ panel }: { panel: Panel }) {
  const { name, blocks, activity, scopes } = panel
  const notes = blocks.filter(({ kind }) => kind === 'notes')
  const main = blocks.filter(({ kind }) => kind !== 'notes')
  const tools = toolsFor(panel)
  return (
    <>
      <PanelHead panel={panel} />
      <div className={`wrap ${styles.panel}`}>
        <div className={styles.main}>
          {tools.length > 0 && (
            <section className={styles.block} aria-labelledby="tools-title">
              <h2 id="tools-title">Tools</h2>
              <Rows rows={tools} />
            </section>
          )}
          {main.map((block) => (
            <Section key={block.id} block={block} />
          ))}
          {main.length === 0 &&
            tools.length === 0 &&
            (scopes.includes('view') ? <NothingYet isClosed={panel.isClosed} /> : <NothingOpen />)}
        </div>
        <aside className={styles.side} aria-label="More">
          <section className={styles.card}>
            <h2>Questions?</h2>
            <p>We reply by the next working day.</p>
            <a
              href={paths.contact()}
              data-contact={`Message from ${name}`}
              className={`${button.button} ${button.small}`}
            >
              Message us
            </a>
          </section>
          {notes.map((block) => (
            <section key={block.id} className={styles.note} aria-labelledby={`${block.id}-title`}>
              <h2 id={`${block.id}-title`}>{block.title}</h2>
              <BlockView block={block} />
            </section>
          ))}
          {activity.length > 0 && <Activity lines={activity} />}
          <LogOut isEverywhere />
        </aside>
      </div>
    </>
  )
}

function PanelHead({ panel: { name, season, expiresAt, scopes } }: { panel: Panel }) {
  return (
    <header data-hero className={`night ${styles.head}`}>
      <div className={`wrap ${styles.strip}`}>
        <div>
          <p className={`label kerb ${styles.label}`}>
            Client panel{season && <span>Season {season}</span>}
          </p>
          <h1 {...resultPlace} className={/\S{13}/.test(name) ? styles.long : undefined}>
            {name}
          </h1>
        </div>
        <dl className={styles.facts}>
          <div>
            <dt>Signed in until</dt>
            <dd>
              <LastDay end={expiresAt} />
            </dd>
          </div>
          <div>
            <dt>Your access</dt>
            <dd>{scopes.map((scope) => scopeNames[scope]).join(', ')}</dd>
          </div>
        </dl>
      </div>
    </header>
  )
}

const Section = ({ block }: { block: Block }) => (
  <section
    id={block.id}
    className={styles.block}
    data-view={block.view}
    aria-labelledby={`${block.id}-title`}
  >
    <h2 id={`${block.id}-title`}>{block.title}</h2>
    <BlockView block={block} />
  </section>
)

/** What each scope means to people. */
const scopeNames: Readonly<Record<Panel['scopes'][number], string>> = {
  view: 'viewing',
  web: 'photos in web size',
  download: 'downloads',
  select: 'favourites',
  manage: 'bookings and invoices',
  links: 'short links',
  ops: 'server log',
  desk: 'the desk',
}

function toolsFor({ scopes }: Panel): BlockRow[] {
  return [
    ...(scopes.includes('desk')
      ? [{ title: 'Desk', detail: 'Tickets, bookings and orders', href: paths.desk() }]
      : []),
    ...(scopes.includes('links')
      ? [{ title: 'Short links', detail: 'Create and track short links', href: paths.shortLinks() }]
      : []),
    ...(scopes.includes('ops')
      ? [{ title: 'Server log', detail: 'Live server log', href: paths.logs() }]
      : []),
  ]
}

const NothingYet = ({ isClosed = false }: { isClosed?: boolean | undefined }) =>
  isClosed ? (
    <div className={styles.nothing}>
      <h2>Your galleries are closed</h2>
      <p>Galleries close after a while. We still have the files; ask us to reopen one.</p>
    </div>
  ) : (
    <div className={styles.nothing}>
      <h2>Nothing here yet</h2>
      <p>Galleries, films and files appear here as soon as we deliver them.</p>
    </div>
  )

/** For codes from before each of them needed `view`. */
const NothingOpen = () => (
  <div className={styles.nothing}>
    <h2>Your code doesn’t open this panel</h2>
    <p>Message us, and we’ll send you one that does.</p>
  </div>
)

function Activity({ lines }: { lines: Panel['activity'] }) {
  return (
    <section className={styles.activity} aria-labelledby="activity-title">
      <h2 id="activity-title">Recent activity</h2>
      <ol>
        {lines.map(({ at, text }, index) => (
          <li key={`${at}-${index}`}>
            <span>{text}</span>
            <time dateTime={at}>{moment(at)}</time>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** A moment in Helsinki, such as 20 Nov, 14:05; the same on every machine. */
function moment(iso: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'Europe/Helsinki',
  }).format(new Date(iso))
}
