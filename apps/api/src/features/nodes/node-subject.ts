/** The whole subject: a certificate with anything else in its name is no node's. */
export const nodeSubject = /^CN=node:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
