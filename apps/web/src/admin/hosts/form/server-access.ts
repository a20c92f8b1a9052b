export const noServerAccess = {
  serverSSHUsername: '',
  serverSSHPassword: '',
  serverSSHKey: '',
  serverReplacePassword: '',
}

/** Fields beyond spec.md are sent only if set. */
export const serverAccessBody = (values: typeof noServerAccess) => ({
  ...(values.serverSSHUsername.trim() && { serverSSHUsername: values.serverSSHUsername.trim() }),
  ...(values.serverSSHPassword && { serverSSHPassword: values.serverSSHPassword }),
  ...(values.serverSSHKey && { serverSSHKey: values.serverSSHKey }),
  ...(values.serverReplacePassword && values.serverSSHPassword && { serverReplacePassword: true }),
})
