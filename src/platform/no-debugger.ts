/**
 * Keeps SIGUSR1 from opening Node's debugger, through which any user of the machine could run code as this one: it asks for
 * no password, and some programs' habits make operators send that signal to a server when they rotate its log. `--inspect`
 * still opens it.
 */
export function openNoDebugger(): void {
  process.on('SIGUSR1', () => {});
}
