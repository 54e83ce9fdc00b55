import { paths } from '#shared/paths.ts'

/** Where a form leads back to: inside of its own folder, and nowhere else. */
export function folderReturnPath(id: string, to: string | undefined): string {
  const home = paths.folder(encodeURIComponent(id))
  const [start, rest] = [to?.slice(0, home.length), to?.slice(home.length) ?? '']
  const isInside = /^(?:[/?][\w./?=&%-]*)?$/.test(rest) && !/(?:\.|%2e){2}/i.test(rest)
  return start === home && isInside ? home + rest : home
}
