import { randomBytes, randomInt } from 'node:crypto'

/** Letters and digits of both cases: 22 of them are 131 bits, which cannot be guessed. */
export const anyAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Crockford's alphabet: no letter that is read as a digit, none that spells a word. */
export const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** For what people read out and type: nothing looks like anything else, and no vowel makes a word. */
export const readable = '23456789BCDFGHJKMNPQRSTVWXYZ'

/** The same in lower case. */
export const readableSmall = readable.toLowerCase()

/**
 * Random characters, each as likely as the others.
 * @param length how many; with 32 characters to choose from, each is 5 bits
 */
export const randomId = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]!).join('')

/**
 * What a row's links are signed over: 128 random bits of [A-Za-z0-9_-]. A number of a row would be
 * given out again once the row is gone, or an older backup is back.
 */
export const newSecret = (): string => randomBytes(16).toString('base64url')

/**
 * A new reference for people, such as `B-7K3M9QTX`: a letter for its kind and 8 signs, of which there
 * are 378 thousand million. The store draws again when it is taken.
 * @param kind one capital letter
 */
export const newReference = (kind: string): string => `${kind}-${randomId(8, readable)}`

/** Whether a text has the form of a reference; what opens by a signed token is far longer. */
export const isReference = (text: string): boolean => /^[A-Z]-[2-9B-Z]{8}$/.test(text)

/** A reference as typed, in the form that is stored: capitals, no spaces around or inside. */
export const normalReference = (typed: string): string => typed.replaceAll(/\s+/g, '').toUpperCase()
