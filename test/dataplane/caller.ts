export type Answer = Record<string, string>

/** Makes the calls of a product as somebody who has signed in there. */
export function callerAt(origin: string) {
  let token = ''
  /** What a call is answered with, whole. */
  const ask = async (path: string, body: object): Promise<Answer[]> => {
    const reply = await fetch(`${origin}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ client: 'web', clientVersion: '1.0', ...body }),
    })
    const { response } = (await reply.json()) as {
      response: { status: number; detailedResponse: Answer[]; error: unknown }
    }
    if (response.status !== 1) throw new Error(`${path}: ${JSON.stringify(response.error)}`)
    return response.detailedResponse ?? []
  }
  const call = async (path: string, body: object): Promise<Answer> => (await ask(path, body))[0] ?? {}
  const signIn = async (who: { email: string; password: string }) => {
    token = ''
    token = (await call('auth/signin', who)).token ?? ''
  }
  return { ask, call, signIn }
}
