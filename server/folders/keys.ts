import { anyAlphabet, randomId } from '../ids.ts'

/** Characters of a key: 62^22 is more than 2^130, so that guessing is hopeless. */
const keyLength = 22

/** A new random name that cannot be guessed, of letters and digits. */
export const newKey = () => randomId(keyLength, anyAlphabet)

/** What a key looks like; anything else is not even looked up as one. */
export const isKey = (text: string) => /^[0-9A-Za-z]{22}$/.test(text)

/** What an alias may look like; never like a key. */
export const isAlias = (text: string) =>
  /^[a-z0-9](?:[a-z0-9-]{1,62})[a-z0-9]$/i.test(text) && !isKey(text)
