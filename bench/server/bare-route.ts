import Fastify from 'fastify'

/** The yardstick: what the framework alone needs to parse a body and answer with an envelope. */
const app = Fastify()
app.post('/bare', async () => ({
  response: {
    status: 1,
    httpCode: 200,
    message: 'OK',
    detailedResponse: [{ userEmail: 'name@example.com', userLevel: 1, userPhone: null }],
  },
}))
process.on('SIGTERM', () => process.exit(0))
process.stdout.write(`bare route is ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
