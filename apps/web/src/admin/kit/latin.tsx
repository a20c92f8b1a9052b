/** An address, a name or a number that reads from left to right in every language. */
export const Latin = ({ children }: { children: string | number }) => <bdi dir="ltr">{children}</bdi>
