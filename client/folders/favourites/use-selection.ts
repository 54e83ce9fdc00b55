import { useEffect, useState } from 'react'
import type { OpenFolder } from '#shared/folders/folders.ts'

/** Whether files may be chosen for a ZIP: of originals, or of web sizes alone. */
export const mayChoose = ({ may }: Pick<OpenFolder, 'may'>): boolean => may.originals || may.web

/** Files that are chosen for a download, over all pages of a folder: bytes by id. */
export type Selection = {
  /** False until the page has its code; until then its checkboxes speak for themselves. */
  ready: boolean
  ids: readonly number[]
  bytes: number
  has: (id: number) => boolean
  set: (files: readonly { id: number; size: number }[], on: boolean) => void
  clear: () => void
}

/** Remembers the selection of this tab, so it survives going from page to page. */
export function useSelection(folder: string): Selection {
  const key = `folder_selection:${folder}`
  const [chosen, setChosen] = useState<ReadonlyMap<number, number> | null>(null)
  // After mount, since what the server sends is no one's.
  // oxlint-disable-next-line react/set-state-in-effect
  useEffect(() => setChosen(read(key)), [key])
  const put = (next: ReadonlyMap<number, number>) => {
    setChosen(next)
    try {
      if (next.size === 0) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, JSON.stringify([...next]))
    } catch {
      // Without storage the selection lasts as long as the page.
    }
  }
  return {
    ready: chosen !== null,
    ids: [...(chosen?.keys() ?? [])],
    bytes: [...(chosen?.values() ?? [])].reduce((sum, size) => sum + size, 0),
    has: (id) => chosen?.has(id) ?? false,
    set(files, on) {
      const next = new Map(chosen)
      for (const { id, size } of files) {
        if (on) next.set(id, size)
        else next.delete(id)
      }
      put(next)
    },
    clear: () => put(new Map()),
  }
}

/** Also picks up what was ticked before the page had its code. */
function read(key: string): Map<number, number> {
  const found = new Map<number, number>()
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    for (const [id, size] of kept as [number, number][]) found.set(id, size)
  } catch {
    // Nothing that can be used.
  }
  const ticked = document.querySelectorAll<HTMLInputElement>('input[name="file"]:checked')
  for (const { value, dataset } of ticked) found.set(Number(value), Number(dataset.size))
  return found
}
