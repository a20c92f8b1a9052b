export const Latin = ({ children }: { children: string | number }) => <bdi dir="ltr">{children}</bdi>
