/** A request in a Markdown text, with the answer that the text shows. */
export interface MarkdownExample {
  /** A curl command. */
  readonly command: string;
  /** The answer's status; undefined if the text names none. */
  readonly status?: number;
  /** The answer's body, from a JSON block. */
  readonly answer?: unknown;
}

const BLOCK = /```(sh|json)\n([\s\S]*?)\n```/g;
const STATUS = /Answers (\d{3})/;

/**
 * Every curl command in the shell blocks of a Markdown text. A JSON block that is the next block, without a heading in
 * between, is its answer.
 */
export function markdownExamples(text: string): MarkdownExample[] {
  const examples: MarkdownExample[] = [];
  const blocks = [...text.matchAll(BLOCK)];
  blocks.forEach(([whole, language, content = ''], at) => {
    if (language !== 'sh' || !content.startsWith('curl ')) return;
    const next = blocks[at + 1];
    const end = (blocks[at]?.index ?? 0) + whole.length;
    const between = text.slice(end, next?.index ?? text.length).split('\n#')[0] ?? '';
    const status = STATUS.exec(between)?.[1];
    const isAnswer = next?.[1] === 'json' && !text.slice(end, next.index).includes('\n#');
    examples.push({
      command: content,
      ...(status !== undefined && { status: Number(status) }),
      ...(isAnswer && { answer: JSON.parse(next[2] ?? '') }),
    });
  });
  return examples;
}
