import type { Page } from 'playwright/test'

/**
 * What the HTML standard forbids in a page's forms and ids, as far as the page itself can tell; the
 * audit has the whole of it. Each fault is a line.
 */
export const markupFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = []
    const nameOf = (element: Element) =>
      `${element.localName} ${element.getAttribute('name') ?? element.id}`
    const ids = Array.from(document.querySelectorAll('[id]'), ({ id }) => id)
    for (const id of new Set(ids.filter((each, index) => ids.indexOf(each) !== index))) {
      faults.push(`id ${id} is there twice`)
    }
    for (const name of ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        for (const id of element.getAttribute(name)!.split(/\s+/)) {
          if (!document.getElementById(id))
            faults.push(`${nameOf(element)}: ${name} names no id ${id}`)
        }
      }
    }
    for (const select of document.querySelectorAll<HTMLSelectElement>('select[required]')) {
      const isList = select.multiple || select.size > 1
      if (!isList && select.options[0]?.value !== '') {
        faults.push(`${nameOf(select)}: required without an empty first option`)
      }
    }
    // Several lines do not fit an input.
    for (const input of document.querySelectorAll('input[autocomplete~="street-address"]')) {
      faults.push(`${nameOf(input)}: autocomplete of a textarea`)
    }
    for (const element of document.querySelectorAll('a :is(a, button, input, select, textarea)')) {
      faults.push(`${nameOf(element)} inside a link`)
    }
    for (const element of document.querySelectorAll(':is(ul, ol) > :not(li, script, template)')) {
      faults.push(`${nameOf(element)} as an item of a list`)
    }
    return faults
  })
