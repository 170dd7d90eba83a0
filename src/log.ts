import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { LoggableError } from './core/loggable-error.js';
import { systemCode } from './core/system-code.js';
import { createLineOutput } from './platform/line-output.js';

/** Structured log: fields first, then a constant message. Never a URL, a query, a coordinate, an address, or a key. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled'>;

/** Takes finished lines: JSON objects that are not empty, each with its line feed. */
export type WriteLine = (line: string) => void;

/** Where log lines go. */
export interface LogOutput {
  /** For what happens now and then: its lines are written at once. */
  readonly logger: Logger;
  /** For what happens with every request: its lines are gathered, and written within {@link FLUSH_INTERVAL_MS}. */
  readonly writeLine: WriteLine;
  /** Writes what is still in memory; to be awaited before the process ends. Whoever is killed loses it. */
  end(): Promise<void>;
  /** The same at once, for a process that cannot wait: the lines before it may come out after it. */
  flush(): void;
}

/** Lines are gathered up to this size, since each write costs more than many lines. */
const GATHER_CHARS = 8 * 1024;
const FLUSH_INTERVAL_MS = 200;
/** What Linux writes to a pipe at once: two processes' longer writes could come out mixed. */
const PIPE_BYTES = 4096;
const WRITE_BYTES = 64 * 1024;

/**
 * JSON lines on stdout (1) or stderr (2), written without blocking the event loop; a service goes on whose log cannot be
 * written. With a process id, several processes write there: then every line carries its own's, and lines of 4 KiB and less
 * stay whole.
 */
export function createLogOutput(level: string, fd: 1 | 2, pid?: number): LogOutput {
  const output = createLineOutput({
    fd,
    maxWriteBytes: pid === undefined ? WRITE_BYTES : PIPE_BYTES,
    onLost: (lines) => logger.warn({ event: 'log-lines-lost', lines }, 'log lines are lost: they could not be written'),
  });
  // Requests' lines are ASCII: a character is a byte.
  const gathered = gatherLines(pid === undefined ? GATHER_CHARS : PIPE_BYTES, output.write);
  const writeNow = {
    write: (line: string) => {
      gathered.pass();
      output.write(line);
    },
  };
  const logger = createLogger(level, writeNow, pid);
  setInterval(gathered.pass, FLUSH_INTERVAL_MS).unref();
  return {
    logger,
    writeLine: (line) => gathered.add(pid === undefined ? line : `{"pid":${pid},${line.slice(1)}`),
    end: () => {
      gathered.pass();
      return output.end();
    },
    flush: () => {
      gathered.pass();
      output.flush();
    },
  };
}

/** Passes lines on together: as many as make up to `maxChars`, or what there is when asked to. */
export function gatherLines(maxChars: number, write: (lines: string) => void): { add: WriteLine; pass: () => void } {
  let lines = '';
  const pass = (): void => {
    if (lines === '') return;
    const due = lines;
    lines = '';
    write(due);
  };
  return {
    add: (line) => {
      if (lines.length + line.length > maxChars) pass();
      lines += line;
    },
    pass,
  };
}

/** A logger that writes its lines to any stream; with a process id where several processes write there. */
export function createLogger(level: string, stream: DestinationStream, pid?: number): Logger {
  const options = {
    level,
    // The host name, and the id of a process that is alone, are the supervisor's to add.
    base: pid === undefined ? null : { pid },
    timestamp: () => `,"time":"${timestamp()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, stream);
}

let shownAtMs = 0;
let shown = '';

/** Now, as all lines show it. Many lines share a millisecond. */
export function timestamp(): string {
  const nowMs = Date.now();
  if (nowMs !== shownAtMs) {
    shown = new Date(nowMs).toISOString();
    shownAtMs = nowMs;
  }
  return shown;
}

/** An error as the log may show it. */
export interface DescribedError {
  /** Its class, and the system's code where it has one. */
  readonly error: string;
  /** What it says, where that may be shown. */
  readonly reason?: string;
  /** Places in the code. */
  readonly frames: string[];
}

/**
 * An error for the log: its class, the places in the code, and what it says if it is a {@link LoggableError}. Any other's
 * message can hold a piece of the request.
 */
export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { error: typeof error, frames: [] };
  const { name, message, stack = '' } = error;
  const code = systemCode(error);
  const trace = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  return {
    error: code !== undefined && SYSTEM_CODE.test(code) ? `${name} ${code}` : name,
    ...(error instanceof LoggableError && { reason: message }),
    frames: trace
      .split('\n')
      .filter((line) => FRAME.test(line))
      .map((frame) => frame.trim()),
  };
}

/** A name of the system's or of Node's, such as EMFILE. */
const SYSTEM_CODE = /^[A-Z][A-Z0-9_]+$/;
/** `    at name (file:///…:12:34)`: a place in a file, which no line of a message looks like by chance. */
const FRAME = /^ {4}at (?:.* \()?(?:file:|node:|\/)[^()]*:\d+:\d+\)?$/;
