/** A finished answer in the shape of Anthropic's Messages API. */
export const anthropicAnswer = (text: string, stopReason = 'end_turn') => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'a-model',
  content: [{ type: 'text', text }],
  stop_reason: stopReason,
  usage: { input_tokens: 1, output_tokens: 1 },
});

/** A finished answer in the shape of Chat Completions. */
export const openaiAnswer = (content: string | null, finishReason = 'stop') => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finishReason }],
});
