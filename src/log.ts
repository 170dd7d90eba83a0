import { fstatSync } from 'node:fs';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { LoggableError } from './core/loggable-error.js';
import { systemCode } from './core/system-code.js';
import { createLineOutput } from './platform/line-output.js';

/** Structured log: fields first, then a constant message. Never log a URL, a query, a coordinate, an address, or a key. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled'>;

/** Takes a finished line: a non-empty JSON object with its line feed. */
export type WriteLine = (line: string) => void;

/** Where log lines go. */
export interface LogOutput {
  /** For occasional events: its lines are written at once. */
  readonly logger: Logger;
  /** For events of every request: its lines are buffered, and written within {@link FLUSH_INTERVAL_MS}. */
  readonly writeLine: WriteLine;
  /** Writes what is still in memory; to be awaited before the process ends. A process that is killed loses it. */
  end(): Promise<void>;
  /** Like {@link end}, but blocking, for a process that cannot wait: a write in progress may come out last. */
  flush(): void;
}

/** Lines are buffered up to this size, since a write costs more than many lines. */
const GATHER_CHARS = 32 * 1024;
const FLUSH_INTERVAL_MS = 200;
/** The most that Linux writes to a pipe atomically: longer writes of several processes could be interleaved. */
const PIPE_BYTES = 4096;
const WRITE_BYTES = 64 * 1024;

/**
 * Writes JSON lines to stdout, stderr or a file without blocking the event loop; a service whose log cannot be written goes
 * on. `pid` is given if several processes write there: then every line carries its process's id, and lines of up to 4 KiB
 * stay whole; in a file, all do.
 */
export function createLogOutput(level: string, fd: number, pid?: number): LogOutput {
  // Linux lets one process at a time write to a file, however much that is.
  const isSharedPipe = pid !== undefined && !fstatSync(fd).isFile();
  const output = createLineOutput({
    fd,
    maxWriteBytes: isSharedPipe ? PIPE_BYTES : WRITE_BYTES,
    onLost: (lines) =>
      logger.warn({ event: 'log-lines-lost', lines }, 'log lines were lost because they could not be written'),
  });
  // The lines of requests are ASCII, so one character is one byte.
  const gathered = gatherLines(isSharedPipe ? PIPE_BYTES : GATHER_CHARS, output.write);
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

/** Buffers lines of up to `maxChars` in total; passes them on together when they exceed it, or when asked to. */
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

/** A logger that writes its lines to any stream; `pid` is given if several processes write there. */
export function createLogger(level: string, stream: DestinationStream, pid?: number): Logger {
  const options = {
    level,
    // The supervisor's log can add the host name, and the process id if there is only one.
    base: pid === undefined ? null : { pid },
    timestamp: () => `,"time":"${timestamp()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, stream);
}

let shownAtMs = 0;
let shown = '';

/** The current time as all log lines show it; cached, since many lines share a millisecond. */
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
  /** Its class, and its system error code if it has one. */
  readonly error: string;
  /** Its message, if that may be shown. */
  readonly reason?: string;
  /** The places in the code, from its stack trace. */
  readonly frames: string[];
}

/**
 * Describes an error for the log by its class, the places in the code and, only if it is a {@link LoggableError}, its
 * message: any other message can hold a piece of the request.
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

/** An error code of the system or of Node, such as EMFILE. */
const SYSTEM_CODE = /^[A-Z][A-Z0-9_]+$/;
/** A stack frame in a file, `    at name (file:///…:12:34)`: no line of a message looks like it by chance. */
const FRAME = /^ {4}at (?:.* \()?(?:file:|node:|\/)[^()]*:\d+:\d+\)?$/;
