/** A control with these attributes opens the cookie preferences, wherever it stands. */
export const opensPreferences = {
  'data-cookie-preferences': '',
  'aria-haspopup': 'dialog',
} as const
