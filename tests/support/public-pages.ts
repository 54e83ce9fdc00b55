/**
 * The paths of one page of each kind from the sitemap: what differs by data alone is there once.
 * @param url of the site
 */
export async function publicPages(url: string): Promise<string[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, loc]) => new URL(loc!).pathname,
  )
  const articles = paths.filter((path) => path.startsWith('/news/'))
  const services = paths.filter((path) => path.startsWith('/services/'))
  const products = paths.filter((path) => path.startsWith('/shop/products/'))
  const events = paths.filter((path) => path.startsWith('/calendar/'))
  const many = new Set([...articles, ...services, ...products, ...events])
  return [
    ...new Set(paths.filter((path) => !many.has(path))),
    ...[services, articles, products, events].flatMap((some) => some.slice(0, 1)),
  ]
}
