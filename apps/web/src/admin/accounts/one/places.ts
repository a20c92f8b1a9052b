/** The screen supplies the addresses. */
export interface Places {
  person: (userEmail: string) => string
  server: (serverUUID: string) => string
  tunnel: (tunnelUUID: string) => string
}
