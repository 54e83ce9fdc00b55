import { useLoaderData } from 'react-router'
import { Stream } from '../site/stream.tsx'
import type { HomeData } from './loader.ts'

/** The home page (spec 2.1). */
export function Component() {
  const { hero, services } = useLoaderData<HomeData>()
  return (
    <>
      <h1>{hero?.title ?? 'Motorsport media'}</h1>
      <section id="services">
        <Stream value={services} fallback={<p>Loading...</p>}>
          {(part) =>
            part.ok ? (
              <ul>
                {part.value.map(({ id, title }) => (
                  <li key={id}>{title}</li>
                ))}
              </ul>
            ) : (
              <p>Failed to load services. Please try again later.</p>
            )
          }
        </Stream>
      </section>
    </>
  )
}
