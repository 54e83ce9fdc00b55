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

/**
 * The fields of an act's form at the desk, with the values that a browser sends of an untouched one.
 * @throws when the page has no such form
 */
export function actFields(html: string, act: string): Record<string, string> {
  const form = html.split('<form ').find((each) => each.includes(`name="act" value="${act}"`))
  if (!form) throw new Error(`The page has no form to ${act}`)
  return inputsOf(`<main><form ${form.split('</form>')[0]}</main>`)
}

/** The acts that a page of the desk offers, in its order. */
export const actsIn = (html: string): string[] =>
  Array.from(html.matchAll(/name="act" value="([\w-]+)"/g), ([, act]) => act!)
