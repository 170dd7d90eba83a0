import { z } from 'zod';

/** The messages sent to a model. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
}

/** The endpoint, credentials and model for calls to a provider. */
export interface ProviderAccount {
  /** The URL up to the path that the API adds, without a slash at its end; undefined for the provider's public endpoint. */
  readonly baseUrl?: string | undefined;
  /** Undefined for an endpoint that needs none, such as a model on the same machine. */
  readonly apiKey?: string | undefined;
  readonly model: string;
}

/** A request to a provider's HTTP API. */
export interface ProviderRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A provider's API: how to build a request, and where the response has the text. */
export interface ProviderApi {
  request(account: ProviderAccount, prompt: Prompt): ProviderRequest;
  /** The text of a complete response; undefined for a refusal, a truncated text or an unknown shape. */
  textOf(answer: unknown): string | undefined;
}

export type ProviderName = 'anthropic' | 'openai';

/** The most tokens of a response: well above the requested number of words. */
const MAX_ANSWER_TOKENS = 600;

const anthropicAnswer = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  stop_reason: z.enum(['end_turn', 'stop_sequence']),
});

/** The Messages API: https://docs.anthropic.com/en/api/messages */
const anthropic: ProviderApi = {
  request: ({ baseUrl = 'https://api.anthropic.com', apiKey, model }, { system, user }) => ({
    url: `${baseUrl}/v1/messages`,
    headers: { 'anthropic-version': '2023-06-01', ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }) },
    body: { model, max_tokens: MAX_ANSWER_TOKENS, system, messages: [{ role: 'user', content: user }] },
  }),
  textOf: (answer) =>
    anthropicAnswer
      .safeParse(answer)
      .data?.content.filter(({ type }) => type === 'text')
      .map(({ text }) => text ?? '')
      .join(''),
};

const openaiAnswer = z.object({
  choices: z.tuple(
    [
      z.object({
        message: z.object({ content: z.string(), refusal: z.null().optional() }),
        // Some compatible servers omit it.
        finish_reason: z.literal('stop').nullish(),
      }),
    ],
    z.unknown(),
  ),
});

/** Chat Completions, as OpenAI and compatible servers offer it: https://platform.openai.com/docs/api-reference/chat */
const openai: ProviderApi = {
  request: ({ baseUrl, apiKey, model }, { system, user }) => ({
    url: `${baseUrl ?? 'https://api.openai.com/v1'}/chat/completions`,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    body: {
      model,
      // OpenAI's newer models accept only the new name, many compatible servers only the old one.
      [baseUrl === undefined ? 'max_completion_tokens' : 'max_tokens']: MAX_ANSWER_TOKENS,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
    },
  }),
  textOf: (answer) => openaiAnswer.safeParse(answer).data?.choices[0].message.content,
};

export const PROVIDER_APIS: Readonly<Record<ProviderName, ProviderApi>> = { anthropic, openai };
