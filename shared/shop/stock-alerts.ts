/** Where stock alerts are asked for, confirmed and ended (docs/contract.md, Shop). */
export const stockAlertPaths = {
  ask: () => '/shop/back-in-stock',
  /** @param token of the link in an email */
  confirm: (token: string) => `/shop/back-in-stock/${token}`,
  stop: (token: string) => `/shop/back-in-stock/${token}/stop`,
}
