/**
 * Fired on `window` when a navigation inside the site begins, with the path that it leads to as its
 * detail, and without one when it ends.
 */
export const departure = 'departure'
