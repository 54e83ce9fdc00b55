import { expect } from 'vitest'
import { inputsOf, postForm } from './page-form.ts'
import type { Reply } from './send.ts'
import type { Site } from './site.ts'

/** What the form of an act sends if nothing is changed in its inputs, as a browser sends them. */
export function actForm(page: string, act: string): Record<string, string> {
  const form = page.split('<form ').find((each) => each.includes(`name="act" value="${act}"`))
  expect(form, `a form to ${act}`).toBeDefined()
  return inputsOf(`<main>${form!.split('</form>')[0]!}</main>`)
}

/** Whether a page of the desk offers an act. */
export const offers = (page: string, act: string): boolean =>
  page.includes(`name="act" value="${act}"`)

/** Opens the page of a thing and does an act there, without scripts. */
export async function doAct(
  site: Site,
  path: string,
  act: string,
  { cookie, fields = {} }: { cookie: Record<string, string>; fields?: Record<string, string> },
): Promise<Reply> {
  const page = await site.get(path, { headers: cookie })
  return postForm(site, path, { ...actForm(page.text, act), ...fields }, cookie)
}
