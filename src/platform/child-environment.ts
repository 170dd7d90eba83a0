/** The variables of this process, for a child, and others that apply unless they are among them. */
export function childEnvironment(unlessSet: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...unlessSet, ...process.env };
}
