import { useEffect, useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { linkStates, type LinkFilter } from '#shared/link-rules.ts'
import type { ShownLink } from '#shared/links.ts'
import { paths } from '#shared/paths.ts'
import { entriesIn } from '../forms/use-form.ts'
import { useFollowed } from '../forms/use-followed.ts'
import button from '../ui/button.module.css'
import { ChoiceLinks } from '../ui/lists/choice-links.tsx'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { Pager } from '../ui/lists/pager.tsx'
import { CopyButton } from './copy-button.tsx'
import { LinkForm } from './link-form.tsx'
import { LinkRow } from './link-row.tsx'
import type { FoundLinks } from './loader.ts'
import { QrDialog } from './qr-dialog.tsx'
import { counted, stateNames } from './states.ts'
import styles from './workspace.module.css'

/** Where staff make links and look after them. */
export function Workspace({ found }: { found: FoundLinks }) {
  const { revalidate } = useRevalidator()
  const [made, setMade] = useState<ShownLink | null>(null)
  const [drawn, setDrawn] = useState<ShownLink | null>(null)
  const { links, q, state, tag, tags, dead, total, page, pages } = found
  const filtered = q !== '' || state !== undefined || tag !== undefined
  return (
    <>
      <section className={`wrap ${styles.make}`} aria-labelledby="make-title">
        <h2 id="make-title">New link</h2>
        <LinkForm
          link={null}
          onSaved={(link) => {
            setMade(link)
            void revalidate()
          }}
        />
        <div role="status" className={styles.made}>
          {made && <Made key={made.code} link={made} onDraw={() => setDrawn(made)} />}
        </div>
      </section>
      <section className="wrap" aria-labelledby="list-title">
        <div className={styles.tools}>
          <h2 id="list-title">{filtered ? 'Matching links' : 'All links'}</h2>
          <Search q={q} state={state} tag={tag} />
        </div>
        <ChoiceLinks
          label="State"
          links={[
            { label: 'All', href: address({ q, tag }), chosen: state === undefined },
            ...linkStates.map((each) => ({
              label: stateNames[each],
              href: address({ q, tag, state: each }),
              chosen: each === state,
            })),
            ...(dead > 0 || state === 'dead'
              ? [
                  {
                    label: 'Dead target',
                    href: address({ q, tag, state: 'dead' }),
                    chosen: state === 'dead',
                    count: dead,
                  },
                ]
              : []),
          ]}
        />
        {(tags.length > 0 || tag) && (
          <ChoiceLinks
            label="Tag"
            links={[
              { label: 'All', href: address({ q, state }), chosen: tag === undefined },
              ...[...new Set([...tags, ...(tag ? [tag] : [])])].map((each) => ({
                label: each,
                href: address({ q, state, tag: each }),
                chosen: each === tag,
              })),
            ]}
          />
        )}
        <p role="status" className={styles.count}>
          {(total > 0 || q !== '') && counted(total, 'link')}
          {q && ` with “${q}”`}
        </p>
        {links.length > 0 && (
          <ul className={styles.links}>
            {links.map((link) => (
              <LinkRow key={link.code} link={link} onDraw={setDrawn} />
            ))}
          </ul>
        )}
      </section>
      {links.length === 0 && <Nothing filtered={filtered} />}
      <Pager page={page} pages={pages} href={(to) => address({ q, state, tag, page: to })} />
      <QrDialog link={drawn} onClose={() => setDrawn(null)} />
    </>
  )
}

function Made({ link, onDraw }: { link: ShownLink; onDraw: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        <strong>{link.host}</strong>: link created
      </h3>
      <p className={styles.address}>{bare(link.address)}</p>
      <div className={styles.ways}>
        <CopyButton text={link.address} className={`${button.button} ${button.small}`} />
        <button
          type="button"
          className={`${button.button} ${button.small} ${button.quiet}`}
          onClick={onDraw}
        >
          QR code
        </button>
      </div>
    </>
  )
}

type Filters = { q: string; state?: LinkFilter | undefined; tag?: string | undefined }

function Search({ q, state, tag }: Filters) {
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const onInput = useFollowed(form, { q })
  return (
    <form
      ref={form}
      role="search"
      action={paths.shortLinks()}
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault()
        const { q: typed = '' } = entriesIn(event.currentTarget)
        void navigate(address({ q: typed.trim(), state, tag }))
      }}
      onInput={onInput}
    >
      <input
        name="q"
        type="search"
        defaultValue={q}
        aria-label="Search links by code, URL, note or tag"
        placeholder="Code, URL, note or tag"
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
      />
      {state && <input type="hidden" name="state" value={state} />}
      {tag && <input type="hidden" name="tag" value={tag} />}
      <button type="submit" className={`${button.button} ${button.small} ${button.quiet}`}>
        Search
      </button>
    </form>
  )
}

const Nothing = ({ filtered }: { filtered: boolean }) =>
  filtered ? (
    <EmptyState title="No matching links">
      <p>Search covers codes, URLs, notes and tags.</p>
      <a href={paths.shortLinks()} className={button.button}>
        Show all links
      </a>
    </EmptyState>
  ) : (
    <EmptyState title="No links yet">
      <p>Paste a URL above to create your first short link.</p>
    </EmptyState>
  )

function address({ q, state, tag, page = 1 }: Filters & { page?: number }) {
  const query = new URLSearchParams()
  if (q) query.set('q', q)
  if (state) query.set('state', state)
  if (tag) query.set('tag', tag)
  if (page > 1) query.set('page', String(page))
  const text = query.toString()
  return paths.shortLinks() + (text ? `?${text}` : '')
}

/** An address as people read it out. */
const bare = (whole: string) => whole.replace(/^https?:\/\//, '')
