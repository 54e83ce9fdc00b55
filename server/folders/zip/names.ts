/** The list of what could not be put into a ZIP. */
export const missingList = '_MISSING.txt'

/**
 * The names that files get in a ZIP: as on disk, safe to unpack anywhere, and unique also where
 * upper and lower case, or two ways to write an accent, are the same.
 * @param paths below the folder, with forward slashes
 */
export function zipNames(paths: readonly string[]): string[] {
  const taken = new Set([missingList.toLowerCase()])
  return paths.map((path) => {
    const safe = safePath(path)
    let name = safe
    for (let number = 2; taken.has(alike(name)); number += 1) name = numbered(safe, number)
    taken.add(alike(name))
    return name
  })
}

const alike = (name: string) => name.normalize('NFC').toLowerCase()

/** Nothing that leads upwards, and no sign that Windows unpacks into no name. */
const safePath = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) =>
      part
        .replaceAll(/[\u0000-\u001f\u007f<>:"\\|?*]/g, '_')
        // What it keeps for its devices, whatever the ending: one such file ends the unpacking.
        .replace(/^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, '$1_')
        // It drops these from the end, and may meet another name there.
        .replace(/[. ]$/, '_'),
    )
    .join('/') || 'file'

/** `a/b.tar.jpg` as `a/b.tar (2).jpg`. */
function numbered(path: string, number: number): string {
  const slash = path.lastIndexOf('/')
  const dot = path.lastIndexOf('.')
  const cut = dot > slash + 1 ? dot : path.length
  return `${path.slice(0, cut)} (${number})${path.slice(cut)}`
}
