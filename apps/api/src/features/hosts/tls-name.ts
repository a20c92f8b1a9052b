/** The SNI of customers' apps: the host name of the URL, without its path. */
export const tlsNameOf = ({ url, sni = '' }: { url: string; sni?: string | undefined }): string =>
  sni || (url.split('/')[0] ?? '')
