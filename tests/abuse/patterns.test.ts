import { property, assert, string, constantFrom, array } from 'fast-check'
import { isSafePattern } from 'redos-detector'
import { expect, test } from 'vitest'
import { isMailable, looksLikeEmail } from '#shared/newsletter.ts'
import { patternsIn, type Pattern } from '../support/patterns.ts'

const patterns = patternsIn(['{shared,server,client,cli}/**/*.{ts,tsx}'])

/** Files whose patterns never meet what a stranger has written; most specific reasons first. */
const trusted: Readonly<Record<string, string>> = {
  'cli/': 'what staff type, or keep in files',
  'server/config.ts': 'the environment, once at the start',
  'server/build': 'what our own build makes',
  'server/http/replies/plain-page.ts': 'our own style sheet',
  'server/seo/picture-files.ts': 'our own drawing',
  'server/text/markup.ts': 'what editors write, sanitised',
  'server/news/cards.ts': 'what editors write, sanitised',
  'server/newsletter/issues.ts': 'what editors write, sanitised',
  'server/search/plain-text.ts': 'what editors write',
  'server/content/files/json-position.ts': 'files of editors',
  'server/content-files/': 'files of editors',
  'server/calendar/sessions.ts': 'what editors write',
  'server/shop/catalogue/licence-terms.ts': 'what staff write of a product',
  'server/shop/cart/vies.ts': 'addresses of the configuration',
  'server/content/addresses.ts': 'what editors write, and addresses of the configuration',
  'server/mail/compose.ts': 'addresses of the configuration',
  'server/mail/messages.ts': 'our own templates, in which what visitors wrote is escaped',
  'server/clients/own-blocks.ts': 'what staff write for a panel',
  'server/folders/files/scan.ts': 'names of files that staff have put there',
  'server/folders/files/routes.ts': 'names of files that staff have put there',
}

/**
 * Patterns that the checker cannot prove harmless, although they are: each begins with a sign that
 * ends the repetition after it, so no text is read twice. They are timed below.
 */
const linear: readonly string[] = [
  // Tags end at the next one.
  String.raw`<[^<>]*>`,
  String.raw`<th\b[^<>]*>`,
  // Array signs, file endings: digits and letters end where the next bracket or dot stands.
  String.raw`\[\d*\]$`,
  // Words that a search refuses: each begins where a word or a tag begins.
  String.raw`<\s*(?:\/\s*)?script(?![\p{L}\p{N}])`,
  String.raw`(?<![\p{L}\p{N}_])(?:javascript|data)\s*:`,
  String.raw`(?<![\p{L}\p{N}_-])on[\p{L}\p{N}_]+\s*=`,
  String.raw`(?<![\p{L}\p{N}_$])eval\s*\(`,
  // Log lines: each is bounded, ends at its first sign, or takes what it has read.
  String.raw`\?[\w.-]+=[^\s"'\\]*`,
  String.raw`\b(sk|rk|whsec)_\w{8,}`,
  // Elements of a bank statement: a prefix ends at its colon.
  String.raw`<(?:\w+:)?Ntry[\s>]`,
  // Around the = of an attribute in a picture's XMP, blanks are bounded.
  String.raw`\s{0,100}=\s{0,100}(["'])`,
  // Postcodes of a calendar: at the start, and each part begins with what the one before can't hold.
  String.raw`^(?:[A-Z]{1,2}-?)?\d{3,5}(?: ?\d{2}| ?[A-Z]{2})?\s+(\p{L}.*)$`,
  // Ends of a teaser: each begins where nothing of its kind is before.
  String.raw`(?<!\S)\S+$`,
  String.raw`(?<![\s,;:–—-])[\s,;:–—-]+$`,
]

const isTrusted = ({ file }: Pattern) => Object.keys(trusted).some((path) => file.startsWith(path))
const outside = patterns.filter((pattern) => !isTrusted(pattern))
const name = ({ file, source, flags }: Pattern) => `${file}: /${source}/${flags}`

test('the parser finds the patterns of the project', () => {
  expect(patterns.length).toBeGreaterThan(150)
  expect(outside.length).toBeGreaterThan(100)
})

test('every pattern that is let through still stands in the project', () => {
  const sources = new Set(patterns.map(({ source }) => source))
  expect(linear.filter((source) => !sources.has(source))).toEqual([])
})

test('no pattern that meets outside text can be made to go back over it again and again', () => {
  const unsafe = outside.filter(({ source, flags }) => {
    if (linear.includes(source)) return false
    const unicode = flags.includes('u')
    const { safe } = isSafePattern(source, {
      unicode,
      // The checker knows only one of the two; case does not change how far a pattern goes back.
      caseInsensitive: flags.includes('i') && !unicode,
      dotAll: flags.includes('s'),
      multiLine: flags.includes('m'),
      maxSteps: 20_000,
      // Some patterns keep the checker busy for hours; one that it cannot judge has to be looked at.
      timeout: 20_000,
    })
    return !safe
  })
  expect(unsafe.map(name)).toEqual([])
}, 300_000)

/** Long texts of what a pattern looks for, ending in what it does not. */
function attacks(source: string): string[] {
  const usual = ' \t\n0aA-_./@<>"\'&=%:;,+#?'
  const signs = new Set(Array.from(source.replaceAll(/\\[a-zA-Z]/g, '') + usual))
  const words = source.match(/[\w:/<>@.%?&=;-]{2,}/g) ?? []
  const pieces = [...signs, ...words.slice(0, 8), 'a.', 'a@', '1 ', '/a']
  return pieces.flatMap((piece) => {
    const long = piece.repeat(Math.ceil(10_000 / piece.length))
    return [long, `${long}\u0000`, `a${long}b/`, `<${long}`, `a@${long}\u0000`]
  })
}

/** Whether a text takes an expression long, tried with a short piece of it first. */
function isSlow(expression: RegExp, text: string): boolean {
  return [text.slice(0, 500), text].some((each) => {
    const times = [0, 1, 2].map(() => {
      // A busy machine adds time to it, and no work.
      const began = process.cpuUsage()
      each.replaceAll(expression, '')
      return process.cpuUsage(began).user / 1_000
    })
    return Math.min(...times) > 25
  })
}

test('no pattern that meets outside text takes long over 10 000 signs of anything', () => {
  const slow: string[] = []
  for (const pattern of outside) {
    const { source, flags } = pattern
    const expression = new RegExp(source, flags.replaceAll(/[gy]/g, '') + 'g')
    // One that takes long is not asked again: the next text could take it for hours.
    const worst = attacks(source).find((text) => isSlow(expression, text))
    if (worst) slow.push(`${name(pattern)} on ${worst.slice(0, 20)}…`)
  }
  expect(slow).toEqual([])
})

test('an address of the newsletter is what it always was: text, @, text, a dot, text', () => {
  const sign = constantFrom('a', 'b', '@', '.', ' ', '\n', '\u00a0', '<', ',', '"')
  assert(
    property(array(sign, { maxLength: 8 }), string({ maxLength: 6 }), (signs, other) => {
      for (const text of [signs.join(''), signs.join('') + other, other]) {
        expect(looksLikeEmail(text)).toBe(/^\S+@\S+\.\S+$/.test(text))
        expect(isMailable(text)).toBe(
          /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+\.[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+$/.test(
            text,
          ),
        )
      }
    }),
    { numRuns: 20_000 },
  )
  expect(looksLikeEmail(`${'a'.repeat(300)}@example.com`)).toBe(false)
})
