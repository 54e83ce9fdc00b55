import type { OpenFolder } from '#shared/folders/folders.ts'
import { paths } from '#shared/paths.ts'
import type { Favourites } from './favourites/use-favourites.ts'
import { mayChoose, type Selection } from './favourites/use-selection.ts'
import { HeartIcon } from './gallery/tile.tsx'
import styles from './folder-tools.module.css'

type Props = { folder: OpenFolder; favourites: Favourites; selection: Selection }

/** The favourites that are in the gallery; what was sent of others is listed at its end. */
const heartsHere = ({ summary }: Favourites) => summary.hearts - summary.gone

/** The bar above the files: all or favourites, the sections, and what to do with several. */
export function FolderTools({ folder, favourites, selection }: Props) {
  const { id, filter, count, fresh, after, sections } = folder
  const { rounds } = favourites.summary
  const hearts = heartsHere(favourites)
  return (
    <div className={styles.bar}>
      <div className={`wrap ${styles.rows}`}>
        <div className={styles.inner}>
          <nav aria-label="Which files" className={styles.filter}>
            <a href={paths.folder(id)} aria-current={filter === 'all' ? 'page' : undefined}>
              All <span>{count}</span>
            </a>
            {(fresh > 0 || filter === 'new') && (
              <a
                href={pageHref({ id, filter: 'new', after }, 1)}
                aria-current={filter === 'new' ? 'page' : undefined}
              >
                New <span>{fresh}</span>
              </a>
            )}
            {/* No link while there are none: it would lead to an empty page. */}
            {rounds !== 'none' && hearts === 0 && filter !== 'favourites' && (
              <p>
                <HeartIcon on={false} /> Favourites <span>0</span>
              </p>
            )}
            {rounds !== 'none' && (hearts > 0 || filter === 'favourites') && (
              <a
                href={pageHref({ id, filter: 'favourites' }, 1)}
                aria-current={filter === 'favourites' ? 'page' : undefined}
              >
                <HeartIcon on={hearts > 0} /> Favourites <span>{hearts}</span>
              </a>
            )}
          </nav>
          <Actions folder={folder} favourites={favourites} selection={selection} />
        </div>
        {filter === 'all' && sections.length > 1 && (
          <nav aria-label="Sections" className={styles.sections}>
            <ul>
              {sections.map(({ name, count: inside, page }, index) => (
                <li key={name}>
                  <a
                    href={`${page === folder.page ? '' : pageHref(folder, page)}#section-${index}`}
                  >
                    {name || 'Main'} <span>{inside}</span>
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
    </div>
  )
}

/** Downloading, sending and selecting, as far as the folder allows them. */
function Actions({ folder, favourites, selection }: Props) {
  const { filter, files, pages } = folder
  const { rounds, submittedAt } = favourites.summary
  const hearts = heartsHere(favourites)
  const usable = files.filter(({ broken, held }) => !broken && !held)
  const all = usable.length > 0 && usable.every((file) => selection.has(file.id))
  return (
    <div className={styles.actions}>
      {mayChoose(folder) && filter === 'favourites' && hearts > 0 && selection.ids.length === 0 && (
        <button type="submit" name="favourites" value="1">
          Download favourites
        </button>
      )}
      {rounds !== 'none' && hearts > 0 && submittedAt === null && (
        <a href="#picks">Send favourites</a>
      )}
      {mayChoose(folder) && (
        <>
          <button
            type="button"
            className={styles.withScripts}
            onClick={() => selection.set(usable, !all)}
          >
            {all ? 'Select none' : pages > 1 ? 'Select this page' : 'Select all'}
          </button>
          {!selection.ready && (
            <button type="submit" className={styles.withoutScripts}>
              Download selection
            </button>
          )}
        </>
      )}
    </div>
  )
}

/** The address of a page of a folder. */
export function pageHref(
  { id, filter, after = null }: Pick<OpenFolder, 'id' | 'filter'> & { after?: number | null },
  page: number,
): string {
  const query = new URLSearchParams()
  if (filter !== 'all') query.set('show', filter)
  if (after !== null) query.set('after', String(after))
  if (page > 1) query.set('page', String(page))
  return query.size === 0 ? paths.folder(id) : `${paths.folder(id)}?${String(query)}`
}
