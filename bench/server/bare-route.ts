import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

/** A server with only the framework and the database driver, to compare with. */
const app = Fastify()
const reply = {
  response: {
    status: 1,
    httpCode: 200,
    message: 'OK',
    detailedResponse: [{ userEmail: 'name@example.com', userLevel: 1, userPhone: null, userContact: '' }],
  },
}
const named = (name: string, text: string) => (values: unknown[]) => ({ name, text, values })
const hash = createHash('sha256').update('token').digest()
const users = 8

const pool = new pg.Pool(JSON.parse(process.env.BENCH_DATABASE ?? '{}'))
await pool.query(`
  CREATE TABLE bench_users (id int PRIMARY KEY, token_hash bytea NOT NULL, points int NOT NULL);
  CREATE INDEX ON bench_users (token_hash);
  CREATE TABLE bench_entries (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id int REFERENCES bench_users, amount int);
  INSERT INTO bench_users SELECT n, sha256(n::text::bytea), 2000000000 FROM generate_series(1, ${users}) n;
  UPDATE bench_users SET token_hash = '\\x${hash.toString('hex')}' WHERE id = 1;
  ANALYZE bench_users`)

const byToken = named('token', 'SELECT id, points FROM bench_users WHERE token_hash = $1')
const lock = named('lock', 'SELECT id, points FROM bench_users WHERE id = $1 FOR NO KEY UPDATE')
const price = named('price', 'SELECT max(points) FROM bench_users WHERE id = $1')
const pay = named('pay', 'UPDATE bench_users SET points = points - 1 WHERE id = $1 RETURNING points')
const enter = named('enter', 'INSERT INTO bench_entries (user_id, amount) VALUES ($1, -1) RETURNING id')

let turn = 0
async function charge() {
  const client = await pool.connect()
  const user = [(turn++ % users) + 1]
  try {
    await client.query('BEGIN')
    for (const statement of [lock, price, pay, enter, enter]) await client.query(statement(user))
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

app.post('/bare', async () => reply)
app.post('/look-up', async () => {
  await pool.query(byToken([hash]))
  return reply
})
app.post('/charge', async () => {
  await charge()
  return reply
})
process.on('SIGTERM', () => process.exit(0))
process.stdout.write(`bare route is ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
