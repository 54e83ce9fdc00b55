import type { Reply } from './send.ts'
import type { Site } from './site.ts'

const entities: Record<string, string> = { amp: '&', quot: '"', '#x27': "'", lt: '<', gt: '>' }
const plain = (text: string) =>
  text.replaceAll(/&(amp|quot|#x27|lt|gt);/g, (_, name: string) => entities[name]!)

/** The values that the inputs of a page's main part have, by their names. */
export function inputsOf(html: string): Record<string, string> {
  const main = /<main\b[\s\S]*<\/main>/.exec(html)?.[0] ?? ''
  const inputs = Array.from(main.matchAll(/<input\b[^>]*>/g), ([tag]) => tag)
  const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return Object.fromEntries(
    inputs
      .filter((tag) => !/type="(?:radio|checkbox)"/.test(tag) || /\schecked=/.test(tag))
      .flatMap((tag) => {
        const name = attribute(tag, 'name')
        return name ? [[name, plain(attribute(tag, 'value') ?? '')]] : []
      }),
  )
}

/** Sends a form as a browser without scripts does: no token, no JSON. */
export const postForm = (
  site: Site,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  site.post(path, new URLSearchParams(fields).toString(), {
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Cookie: '',
      'X-CSRF-TOKEN': '',
      ...headers,
    },
  })
