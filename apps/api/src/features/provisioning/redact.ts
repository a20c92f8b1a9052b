const hidden = '[hidden]'

const shapes: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g,
  /\b(?:trojan|hysteria2|hy2|vless|vmess|ss):\/\/\S+/gi,
  /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /\/sub\/[A-Za-z0-9_-]{16,}/g,
  /\b(?:postgres|postgresql):\/\/\S+/gi,
]

/** Hides exact secrets, key blocks, links and tokens. Longest first, so that no secret survives inside another. */
export function redact(text: string, secrets: readonly string[]): string {
  const exact = secrets.filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length)
  const withoutSecrets = exact.reduce((rest, secret) => rest.replaceAll(secret, hidden), text)
  return shapes.reduce((rest, shape) => rest.replace(shape, hidden), withoutSecrets)
}
