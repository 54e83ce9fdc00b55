import type { Assets } from '#shared/rendering.ts'

/** Vite's manifest, as far as it is used. */
export type Manifest = Record<
  string,
  { file: string; css?: string[]; imports?: string[]; dynamicImports?: string[] }
>

/** Where the code of the browser begins, as the manifest names it. */
const entryName = 'client/entry-client.tsx'

/** The sheets that the build has joined: their addresses by the styles in them, see {@link sheetKey}. */
export type Sheets = Readonly<Record<string, string>>

/** The key of a list of styles in {@link Sheets}. */
export const sheetKey = (styles: readonly string[]) => styles.join(' ')

/**
 * Looks up what a page needs in the manifest, each page once. Of what is imported dynamically the
 * server renders static parts (`client/site/static-part.tsx`), of which a page needs the styles and not
 * the code, and the rest of a page (`client/pages.ts`), whose code the page asks for itself.
 * @returns a function of the page's module, null for the shell alone
 */
export function assetsOf(manifest: Manifest, sheets: Sheets): (source: string | null) => Assets {
  const entry = manifest[entryName]
  if (!entry) throw new Error('The build has no entry; run npm run build.')
  const known = new Map<string | null, Assets>()
  const collect = (source: string | null): Assets => {
    const modules = new Set<string>()
    const styles = new Set<string>()
    const seen = new Set<string>()
    const parts: string[] = []
    const visit = (name: string, isCode = true) => {
      const chunk = manifest[name]
      if (!chunk || seen.has(name)) return
      seen.add(name)
      for (const imported of chunk.imports ?? []) visit(imported, isCode)
      for (const style of chunk.css ?? []) styles.add(`/${style}`)
      if (name !== entryName && isCode) modules.add(`/${chunk.file}`)
      for (const part of chunk.dynamicImports ?? []) {
        if (/\.(static|rest)\.tsx$/.test(part)) parts.push(part)
      }
    }
    const page = source === null ? null : manifest[source]
    if (page === undefined) throw new Error(`The build has no chunk of its own for ${source}.`)
    visit(entryName)
    if (source) visit(source)
    // Last, so a chunk that the page's code needs as well counts as code.
    for (const part of parts) visit(part, false)
    return {
      entry: `/${entry.file}`,
      page: page && `/${page.file}`,
      modules: [...modules],
      styles: [...styles],
      sheet: sheets[sheetKey([...styles])] ?? null,
    }
  }
  return (source) => {
    let assets = known.get(source)
    if (!assets) known.set(source, (assets = collect(source)))
    return assets
  }
}
