import { randomInt } from 'node:crypto'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Characters of a key: 62^22 is more than 2^130, so that guessing is hopeless (features 17). */
const length = 22

/** A new random name that nobody can guess, of letters and digits. */
export const newKey = () => Array.from({ length }, () => digits[randomInt(digits.length)]).join('')

/** What a key looks like; anything else is not even looked up as one. */
export const isKey = (text: string) => /^[0-9A-Za-z]{22}$/.test(text)

/** What an alias may look like; never like a key. */
export const isAlias = (text: string) =>
  /^[a-z0-9](?:[a-z0-9-]{1,62})[a-z0-9]$/i.test(text) && !isKey(text)
