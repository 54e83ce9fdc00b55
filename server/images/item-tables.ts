import { mostBoxes } from './boxes.ts'

/** The types of the items that may hold metadata. */
export function readInfos(table: Buffer): Map<number, 'Exif' | 'mime'> {
  const items = new Map<number, 'Exif' | 'mime'>()
  const tolerant = () => {
    const { next, skip } = cursor(table)
    const version = next(1)
    skip(3)
    let at = 4 + (version === 0 ? 2 : 4)
    const count = next(version === 0 ? 2 : 4)
    for (let each = 0; each < Math.min(count, mostBoxes); each += 1) {
      const size = table.readUInt32BE(at)
      const wide = table.readUInt8(at + 8) >= 3
      const id = wide ? table.readUInt32BE(at + 12) : table.readUInt16BE(at + 12)
      const type = table.toString('latin1', at + (wide ? 18 : 16), at + (wide ? 22 : 20))
      if (type === 'Exif' || type === 'mime') items.set(id, type)
      at += Math.max(size, 8)
    }
  }
  untilTheEnd(tolerant)
  return items
}

type Place = { id: number; inIdat: boolean; extents: [at: number, length: number][] }

/** Where items lie. */
export function readPlaces(table: Buffer): Place[] {
  const places: Place[] = []
  untilTheEnd(() => {
    const { next, skip } = cursor(table)
    const version = next(1)
    skip(3)
    const sizes = next(2)
    const [offset, length, base] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
    const index = version === 0 ? 0 : sizes & 15
    const count = next(version < 2 ? 2 : 4)
    let all = 0
    for (let each = 0; each < Math.min(count, mostBoxes); each += 1) {
      const id = next(version < 2 ? 2 : 4)
      const inIdat = version > 0 && (next(2) & 15) === 1
      skip(2)
      const from = next(base)
      const extents: Place['extents'] = []
      for (let extent = next(2); extent > 0; extent -= 1) {
        all += 1
        if (all > mostBoxes) throw new RangeError('There are more extents than any picture has.')
        skip(index)
        extents.push([from + next(offset), next(length)])
      }
      places.push({ id, inIdat, extents })
    }
  })
  return places
}

/** Reads whole numbers of a table one after the other. */
function cursor(table: Buffer) {
  let at = 0
  return {
    get at() {
      return at
    },
    skip: (bytes: number) => void (at += bytes),
    /** @param bytes 0 to 8 */
    next(bytes: number): number {
      let value = 0
      for (let each = 0; each < bytes; each += 1) value = value * 256 + table.readUInt8(at + each)
      at += bytes
      return value
    },
  }
}

/** A table that is cut short gives what it has. */
function untilTheEnd(read: () => void): void {
  try {
    read()
  } catch (err) {
    if (!(err instanceof RangeError)) throw err
  }
}
