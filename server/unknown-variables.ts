import { editDistance } from './text/edit-distance.ts'

/** Beginnings of names that only we are likely to use. */
const families =
  /^(?:SITE|SMTP|MAIL|STAFF|CONTENT|NEWSLETTER|STATS|STRIPE|SECRET_KEY|TRUST_PROXY|BACKUP|PITLANE)_/

/**
 * Finds variables that look like ours and aren't, such as SITE_ULR.
 * @param known the names that we read; each may come as NAME_FILE, too
 * @returns a sentence for each
 */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  const ours = known.flatMap((name) => [name, `${name}_FILE`])
  return Object.keys(env).flatMap((name) => {
    if (name.startsWith('\uFEFF')) {
      return [
        `${name.slice(1)} isn’t read: .env begins with an invisible mark (BOM) before it. Save the file as UTF-8 without BOM.`,
      ]
    }
    if (ours.includes(name) || !/^[A-Z][A-Z0-9_]+$/.test(name)) return []
    // Short names are near each other by chance, as HOME is to HOST.
    const allowed = name.length >= 8 ? 2 : name.length >= 6 ? 1 : 0
    const near = ours
      // Of another length by more, they differ by more; every command looks at the whole environment.
      .filter((other) => Math.abs(other.length - name.length) <= allowed)
      .map((other) => ({ other, distance: editDistance(name, other, allowed) }))
      .filter(({ distance }) => distance <= allowed)
      .toSorted((a, b) => a.distance - b.distance)[0]
    if (near) return [`${name} isn’t a setting; did you mean ${near.other}?`]
    return families.test(name) ? [`${name} isn’t a setting: it changes nothing.`] : []
  })
}
