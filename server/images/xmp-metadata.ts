import { setImmediate } from 'node:timers/promises'
import { take, type MetadataSource, type Patch } from './bytes.ts'

const space = 0x20
/** Characters that are looked through before others get their turn: a few milliseconds. */
const slice = 256 * 1024
/** A packet that is longer leaves as blanks. */
const maxPacketLength = 4 * 1024 * 1024

/** Names that tell a place, a device or its owner, in whatever namespace. */
const isPrivate = (name: string): boolean => {
  const local = name.slice(name.indexOf(':') + 1).toLowerCase()
  return (
    local.startsWith('gps') ||
    local.includes('serialnumber') ||
    local.endsWith('ownername') ||
    local === 'imageuniqueid' ||
    local === 'hasextendedxmp'
  )
}

/**
 * What hides the place, serial numbers and owner in an XMP packet (ISO 16684-1): blanks stand in
 * their place, as attributes and as elements. Author, rights, captions and keywords stay.
 */
export async function xmpPatches(source: MetadataSource): Promise<Patch[]> {
  if (source.size > maxPacketLength) return [{ at: 0, length: source.size, bytes: space }]
  // One character for each byte, so places in the text are places in the file.
  const text = (await take(source, 0, source.size)).toString('latin1')
  // UTF-16 and UTF-32 are allowed and hardly ever written; then nothing of it can be told apart.
  if (text.slice(0, 64).includes('\0')) return [{ at: 0, length: text.length, bytes: space }]
  const patches: Patch[] = []
  const blank = (from: number, to: number) => {
    source.budget.spend('patches', 1)
    patches.push({ at: from, length: to - from, bytes: space })
  }
  const names = /([\s<])([a-z_][\w.:-]{0,400})/gi
  let pause = slice
  for (let found = names.exec(text); found; found = names.exec(text)) {
    if (names.lastIndex > pause) {
      pause = names.lastIndex + slice
      await setImmediate()
    }
    const [whole, before, name] = found
    if (!isPrivate(name!)) continue
    const end = found.index + whole.length
    const to = before === '<' ? endOfElement(text, name!, end) : endOfAttribute(text, end)
    if (to === null) continue
    blank(before === '<' ? found.index : found.index + 1, to)
    names.lastIndex = to
  }
  return patches
}

/** Just after an element; the end of the text where it is never closed. */
function endOfElement(text: string, name: string, from: number): number {
  const tag = text.indexOf('>', from)
  if (tag < 0) return text.length
  if (text[tag - 1] === '/') return tag + 1
  const closing = text.indexOf(`</${name}`, tag)
  const end = closing < 0 ? -1 : text.indexOf('>', closing)
  return end < 0 ? text.length : end + 1
}

/** Just after an attribute's value; null where the name isn't an attribute's. */
function endOfAttribute(text: string, from: number): number | null {
  const value = /\s{0,100}=\s{0,100}(["'])/y
  value.lastIndex = from
  const quote = value.exec(text)?.[1]
  if (!quote) return null
  const end = text.indexOf(quote, value.lastIndex)
  return end < 0 ? text.length : end + 1
}
