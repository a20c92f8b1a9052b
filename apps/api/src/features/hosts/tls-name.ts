/** What customers' apps ask a server for by SNI. TLS knows a host name, not the path behind it. */
export const tlsNameOf = ({ url, sni = '' }: { url: string; sni?: string | undefined }): string =>
  sni || (url.split('/')[0] ?? '')
