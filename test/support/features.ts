import { z } from 'zod';

const features = z.object({
  features: z.array(
    z.object({
      properties: z.record(z.string(), z.unknown()),
      geometry: z.object({ type: z.string(), coordinates: z.array(z.unknown()) }).nullable(),
    }),
  ),
});

/** The features of a GeoJSON collection, validated as far as tests use them. */
export function featuresOf(body: unknown) {
  return features.parse(body).features;
}
