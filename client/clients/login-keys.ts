/**
 * Keys of local storage (docs/contract.md, Browser storage): the flag that shows the logout button,
 * and what goes with it.
 */
export const loginKeys = {
  flag: 'clientPanelAuth',
  token: 'auth_token',
  user: 'user_data',
} as const
