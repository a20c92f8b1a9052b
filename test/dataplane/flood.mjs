import { createServer } from 'node:http'

/** Sends as much as anybody takes. */
const flooded = Buffer.alloc(1_048_576)
createServer((_, response) => {
  const more = () => {
    while (response.write(flooded));
  }
  response.on('drain', more)
  more()
}).listen(8080, () => console.log('listening'))
