/** A control with these attributes opens the cookie preferences, wherever it stands. */
export const opensPreferences = {
  'data-cookie-preferences': '',
  'data-early': '',
  'aria-haspopup': 'dialog',
} as const
