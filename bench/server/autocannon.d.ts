declare module 'autocannon' {
  interface Request {
    method: 'POST'
    path: string
    setupRequest: (request: object) => object
  }
  interface Run extends Promise<{ errors: number; '2xx': number }> {
    on(
      event: 'response',
      listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void,
    ): void
    once(event: 'response', listener: () => void): void
    stop(): void
  }
  export default function autocannon(options: {
    url: string
    connections: number
    amount?: number
    /** In seconds. */
    duration?: number
    requests: Request[]
    /** Milliseconds between checks whether it is done. */
    sampleInt?: number
  }): Run
}
