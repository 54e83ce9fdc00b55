import { randomInt } from 'node:crypto'

/** Letters and digits of both cases: 22 of them are 131 bits, which cannot be guessed. */
export const anyAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Crockford's alphabet: no letter that is read as a digit, none that spells a word. */
export const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** For what people read out and type: nothing looks like anything else, and no vowel makes a word. */
export const readable = '23456789BCDFGHJKMNPQRSTVWXYZ'

/** The same in small letters. */
export const readableSmall = readable.toLowerCase()

/**
 * Random characters, each as likely as the others.
 * @param length how many; with 32 characters to choose from, each is 5 bits
 */
export const randomId = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]!).join('')

/**
 * A new reference for people, such as `B-7K3M9QTX`: a letter for its kind and 8 signs, of which there
 * are 378 thousand million. The store draws again when it is taken.
 * @param kind one capital letter
 */
export const newReference = (kind: string): string => `${kind}-${randomId(8, readable)}`

/** A reference as typed, in the form that is stored: capitals, no spaces around or inside. */
export const normalReference = (typed: string): string => typed.replaceAll(/\s+/g, '').toUpperCase()
