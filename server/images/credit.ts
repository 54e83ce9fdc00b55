import { createBudget, BudgetExceeded, metered } from './bytes.ts'
import { inMemory } from './metadata.ts'
import { readTiff, textOf } from './tiff.ts'

/** Characters of a name or notice that are kept. */
const maxTextBytes = 500

/** The tags of EXIF by the names that sharp's `withExif` takes. */
const names: ReadonlyMap<number, string> = new Map([
  [0x013b, 'Artist'],
  [0x8298, 'Copyright'],
])

/**
 * Author and copyright from EXIF; of damaged metadata what could be read before the damage.
 * @param exif as sharp's metadata gives it
 */
export async function creditOf(exif: Buffer | undefined): Promise<Record<string, string>> {
  const credit: Record<string, string> = {}
  if (!exif) return credit
  const start = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0
  const source = metered(inMemory(exif.subarray(start)), createBudget())
  try {
    const [first] = (await readTiff(source))?.directories ?? []
    for (const entry of first?.entries ?? []) {
      const name = names.get(entry.tag)
      if (!name) continue
      const text = await textOf(source, entry, maxTextBytes)
      if (text) credit[name] = text
    }
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error
  }
  return credit
}
