/** A request in a text, with what the text says of its answer. */
export interface MarkdownExample {
  /** A curl command. */
  readonly command: string;
  /** As the text says it; undefined where it says none. */
  readonly status?: number;
  /** The JSON shown. */
  readonly answer?: unknown;
}

const BLOCK = /```(sh|json)\n([\s\S]*?)\n```/g;
const STATUS = /Answers (\d{3})/;

/**
 * Every curl command in the shell blocks of a Markdown text; a JSON block that follows before the next one is its
 * answer.
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
