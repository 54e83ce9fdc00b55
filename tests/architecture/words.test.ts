import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Where the words are checked. */
const covered = [
  '{client,server,shared,cli}/**/*.{ts,tsx}',
  'data/content/**/*.{json,html}',
  'README.md',
  'docs/*.md',
]

/** Turns of phrase that no native writer uses, each with a better one. */
const tics: readonly (readonly [pattern: RegExp, better: string])[] = [
  [/\bbelongs? into\b/gi, 'goes into, is part of'],
  [/\bfor the moment\b/gi, 'leave it out, or: yet, temporarily'],
  [/\bat present\b/gi, 'leave it out'],
  [/\bright now\b/gi, 'leave it out'],
  [/\bwhoever\b/gi, 'anyone who'],
  [/\bone (?:press|tap)\b/gi, 'one click'],
  [/\b(?:has|have|had) run out\b/gi, 'has expired'],
  [/\bis no (?:date|number|amount|status|row)\b/gi, 'is not a …'],
  [/\bone of us\b/gi, 'we'],
  [/\bby mail\b/gi, 'by email'],
  [/\be-mails?\b/gi, 'email'],
  [/\bcomes? by (?:mail|post)\b/gi, 'we email you, ships'],
  [/\bstands? (?:in|on|there|for it)\b/gi, 'is in, appears on'],
  [/\b(?:some|any|every)body\b/gi, 'someone, anyone, everyone'],
  [/\blinks? (?:is|are|has|have) (?:over|ended)\b/gi, 'has expired'],
  [/\bpress(?:es|ed)? (?:the|a|its) (?:button|link)\b/gi, 'click'],
  [/\bthere is no such\b/gi, '… not found'],
  [/\bhas to be (?:sent|shipped|packed)\b/gi, 'to send, ship, pack'],
  [/\b(?:doesn’t|don’t|does not|do not) hear of\b/gi, 'isn’t told'],
]

/** The same of comments and decisions, whose words are free otherwise. */
const ticsOfComments: typeof tics = [
  [/\bbelongs? into\b/gi, 'goes into, is part of'],
  [/\b(?:some|any|every)body\b/gi, 'someone, anyone, everyone'],
  [/\banew\b/gi, 'again'],
  [/\bstands against\b/gi, 'conflicts with, prevents'],
]

/** What is right as it is: photos of things that really stand somewhere, words to search by. */
const allowed: readonly (readonly [file: string, words: string])[] = [
  ['server/contact/listings.ts', "'e-mail', 'email'"],
  ['data/content/media.json', 'in the evening sun stands on an oak shelf'],
  ['data/content/media.json', 'with a rev counter stands on a shelf'],
  ['data/content/media.json', 'One photo book stands on an oak table'],
  ['data/content/media.json', 'A wooden stool stands on a pale'],
]

/** The source without its comments, each line where it was. */
const withoutComments = (source: string) =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|\s)\/\/ .*$/gm, '$1')

const texts = covered
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return { file, text: /\.tsx?$/.test(file) ? withoutComments(source) : source }
  })

/** The comments of a source, each line where it was. */
const commentsOf = (source: string) =>
  Array.from(source.matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*$/gm)).reduce(
    (text, { 0: comment, index }) =>
      text.slice(0, index) + comment + text.slice(index + comment.length),
    source.replaceAll(/[^\n]/g, ' '),
  )

const comments = [
  ...globSync('{client,server,shared,cli,tests}/**/*.{ts,tsx}', { cwd: root })
    // This one has to name them.
    .filter((file) => file !== 'tests/architecture/words.test.ts')
    .map((file) => ({ file, text: commentsOf(readFileSync(join(root, file), 'utf8')) })),
  ...globSync('docs/decisions/*.md', { cwd: root }).map((file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8'),
  })),
]

/** Every tic in a text, with its line and a better phrase. */
function ticsIn(file: string, text: string, patterns = tics): string[] {
  const spared = allowed
    .filter(([where]) => where === file)
    .reduce((rest, [, words]) => rest.replaceAll(words, ''), text)
  return patterns.flatMap(([pattern, better]) =>
    Array.from(spared.matchAll(pattern), ({ 0: found, index }) => {
      const line = spared.slice(0, index).split('\n').length
      return `${file}:${line}: “${found}” → ${better}`
    }),
  )
}

test('texts that people read are free of the worst turns of phrase', () => {
  expect(texts.length).toBeGreaterThan(200)
  expect(texts.flatMap(({ file, text }) => ticsIn(file, text))).toEqual([])
})

test('so are comments and decisions', () => {
  expect(comments.length).toBeGreaterThan(1000)
  expect(comments.flatMap(({ file, text }) => ticsIn(file, text, ticsOfComments))).toEqual([])
})

test('every exception is still needed', () => {
  const stale = allowed.filter(([file, words]) => {
    const text = texts.find((each) => each.file === file)?.text
    return !text?.includes(words) || !tics.some(([pattern]) => words.search(pattern) >= 0)
  })
  expect(stale).toEqual([])
})

test('a tic is found in strings and page text, not in comments', () => {
  const source = "// by mail\nconst text = 'It comes by mail.' /* whoever */\n<p>one press</p>"
  expect(ticsIn('a.tsx', withoutComments(source))).toEqual([
    'a.tsx:3: “one press” → one click',
    'a.tsx:2: “by mail” → by email',
    'a.tsx:2: “comes by mail” → we email you, ships',
  ])
})

test('a tic is found in comments, not in strings', () => {
  const source = "// made anew\nconst text = 'made anew' /* by somebody */\n/**\n * anew */"
  expect(ticsIn('a.ts', commentsOf(source), ticsOfComments)).toEqual([
    'a.ts:2: “somebody” → someone, anyone, everyone',
    'a.ts:1: “anew” → again',
    'a.ts:4: “anew” → again',
  ])
})
