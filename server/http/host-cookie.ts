/**
 * The name of a cookie of this host alone (RFC 6265bis, section 4.1.3.2): over https its prefix keeps
 * other hosts of the domain, and http, from planting one. Such a cookie is Secure, has the path / and
 * no domain.
 */
export const hostCookie = (name: string, { secure }: { secure: boolean }): string =>
  secure ? `__Host-${name}` : name
