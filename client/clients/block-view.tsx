import type { Block } from '#shared/clients/clients.ts'
import type { BlockRow, BlockTile, BlockVideo } from '#shared/clients/panel-block.ts'
import { ArrowIcon, Icon } from '../ui/icons.tsx'
import { DownloadLink } from '../ui/download-link.tsx'
import { FilmPlayer } from '../ui/pictures/film-player.tsx'
import styles from './block-view.module.css'

/** Shows a block in the form that its noun chose. */
export function BlockView({ block }: { block: Block }) {
  switch (block.view) {
    case 'text':
      return (
        <div className={styles.text}>
          {block.paragraphs.map((paragraph, index) => (
            <p key={index}>{paragraph}</p>
          ))}
        </div>
      )
    case 'rows':
      return (
        <>
          <Rows rows={block.rows} />
          {block.more && (
            <a href={block.more.href} className={styles.more}>
              {block.more.label} <ArrowIcon />
            </a>
          )}
        </>
      )
    case 'tiles':
      return <Tiles tiles={block.tiles} />
    default:
      return <Videos videos={block.videos} />
  }
}

/** Lines, each with something to open, to fetch or just to know. */
export const Rows = ({ rows }: { rows: readonly BlockRow[] }) => (
  <ul className={styles.rows}>
    {rows.map((row, index) => (
      <li key={`${row.href ?? row.title}-${index}`}>
        <Row {...row} />
      </li>
    ))}
  </ul>
)

function Row({ title, detail, value, state, href, way = 'page' }: BlockRow) {
  const inside = (
    <>
      <span className={styles.name}>
        <span className={styles.title}>{title}</span>
        {detail && <span className={styles.detail}>{detail}</span>}
      </span>
      {state && (
        <span className={styles.state} data-tone={state.tone}>
          {state.label}
        </span>
      )}
      {value && <span className={styles.value}>{value}</span>}
      {href && <WayIcon way={way} />}
    </>
  )
  if (!href) return <div className={styles.row}>{inside}</div>
  if (way === 'file') {
    return (
      <DownloadLink href={href} className={styles.row}>
        {inside}
      </DownloadLink>
    )
  }
  return (
    <a
      href={href}
      className={styles.row}
      {...(way === 'elsewhere' && { target: '_blank', rel: 'noopener noreferrer' })}
    >
      {inside}
    </a>
  )
}

/** Whether a line goes on, comes down or leads away. */
function WayIcon({ way }: { way: NonNullable<BlockRow['way']> }) {
  if (way === 'page') return <ArrowIcon />
  return (
    <>
      <Icon size={20}>
        <path d={way === 'file' ? 'M12 3v12m-5-5 5 5 5-5M4 20h16' : 'M7 17 18 6M9 6h9v9'} />
      </Icon>
      <span className="unseen">{way === 'file' ? '(download)' : '(opens in a new tab)'}</span>
    </>
  )
}

const Tiles = ({ tiles }: { tiles: readonly BlockTile[] }) => (
  <ul className={styles.tiles}>
    {tiles.map(({ title, detail, href, picture }) => (
      <li key={href}>
        <a href={href}>
          {/* The name is below; the picture says nothing more. */}
          <span className={styles.picture}>
            {picture && (
              <img src={picture} alt="" width={640} height={480} loading="lazy" decoding="async" />
            )}
          </span>
          <strong>{title}</strong>
          {detail && <span className={styles.detail}>{detail}</span>}
        </a>
      </li>
    ))}
  </ul>
)

function Videos({ videos }: { videos: readonly BlockVideo[] }) {
  const films = videos.flatMap(({ source, title }) => (source ? [{ source, title }] : []))
  const elsewhere = videos.flatMap(({ href, title }): BlockRow[] =>
    href ? [{ title, detail: new URL(href, 'https://here').host, href, way: 'elsewhere' }] : [],
  )
  return (
    <>
      {films.length > 0 && (
        <ul className={styles.films}>
          {films.map(({ source, title }) => (
            <li key={source}>
              <figure>
                {/* Fetched when it is played, since that is written down as watching it. What it says
                    is known to the client; captions come with the file. */}
                <FilmPlayer src={source} aria-label={title} />
                <figcaption>{title}</figcaption>
              </figure>
            </li>
          ))}
        </ul>
      )}
      {elsewhere.length > 0 && <Rows rows={elsewhere} />}
    </>
  )
}
