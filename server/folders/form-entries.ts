import type { Request } from 'express'
import { paths } from '#shared/paths.ts'

/** The texts among the posted fields; a field that came twice counts once. */
export function entriesOf(request: Request): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries((request.body ?? {}) as Record<string, unknown>).flatMap(([name, value]) => {
      const text: unknown = Array.isArray(value) ? value[0] : value
      return typeof text === 'string' ? [[name, text.replaceAll('\r\n', '\n')]] : []
    }),
  )
}

/** Where a form leads back to: inside of its own folder, and nowhere else. */
export function placeInFolder(id: string, to: string | undefined): string {
  const home = paths.folder(encodeURIComponent(id))
  const [start, rest] = [to?.slice(0, home.length), to?.slice(home.length) ?? '']
  const isInside = /^(?:[/?][\w./?=&%-]*)?$/.test(rest) && !/(?:\.|%2e){2}/i.test(rest)
  return start === home && isInside ? home + rest : home
}
