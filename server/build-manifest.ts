/** The built files that a page needs. */
export type Assets = {
  entry: string
  /** Code beside the entry. */
  modules: readonly string[]
  styles: readonly string[]
  /** One file with all of `styles`, where the build has made it. */
  sheet: string | null
}

/** Vite's manifest, as far as it is used. */
export type Manifest = Record<
  string,
  { file: string; css?: string[]; imports?: string[]; isEntry?: boolean }
>

/** The sheets that the build has joined: their addresses by the styles in them, see {@link sheetKey}. */
export type Sheets = Readonly<Record<string, string>>

/** The key of a list of styles in {@link Sheets}. */
export const sheetKey = (styles: readonly string[]) => styles.join(' ')

/**
 * Looks up what route modules need in the manifest, each set of modules once.
 * @returns a function of the modules of a page, and of its parts whose code comes later
 */
export function assetsOf(
  manifest: Manifest,
  sheets: Sheets,
): (sources: readonly string[], parts: readonly string[]) => Assets {
  const entryName = Object.keys(manifest).find((name) => manifest[name]!.isEntry)
  if (!entryName) throw new Error('The build has no entry; run npm run build.')
  const known = new Map<string, Assets>()
  const collect = (sources: readonly string[], parts: readonly string[]): Assets => {
    const modules = new Set<string>()
    const styles = new Set<string>()
    const seen = new Set<string>()
    const requestContext = (name: string, withCode: boolean) => {
      const chunk = manifest[name]
      if (!chunk || seen.has(name)) return
      seen.add(name)
      for (const imported of chunk.imports ?? []) requestContext(imported, withCode)
      for (const style of chunk.css ?? []) styles.add(`/${style}`)
      if (withCode && name !== entryName) modules.add(`/${chunk.file}`)
    }
    for (const name of [entryName, ...sources]) requestContext(name, true)
    // In the HTML from the start, in code later: their styles belong to the page.
    for (const name of parts) requestContext(name, false)
    return {
      entry: `/${manifest[entryName]!.file}`,
      modules: [...modules],
      styles: [...styles],
      sheet: sheets[sheetKey([...styles])] ?? null,
    }
  }
  return (sources, parts) => {
    const key = [...sources, '', ...parts].join('\n')
    let assets = known.get(key)
    if (!assets) known.set(key, (assets = collect(sources, parts)))
    return assets
  }
}
