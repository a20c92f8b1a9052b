export const noServerAccess = {
  serverSSHUsername: '',
  serverSSHPassword: '',
  serverSSHKey: '',
  /** 'yes', or '' for no. */
  serverReplacePassword: '',
}

/** Beyond the specification, and so sent only where something was filled in. */
export const serverAccessBody = (values: typeof noServerAccess) => ({
  ...(values.serverSSHUsername.trim() && { serverSSHUsername: values.serverSSHUsername.trim() }),
  ...(values.serverSSHPassword && { serverSSHPassword: values.serverSSHPassword }),
  ...(values.serverSSHKey && { serverSSHKey: values.serverSSHKey }),
  ...(values.serverReplacePassword && values.serverSSHPassword && { serverReplacePassword: true }),
})
