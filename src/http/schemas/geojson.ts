import { z } from 'zod';
import { providerPropertiesSchema } from './providers.js';
import { tractPropertiesSchema } from './tract.js';

/** GeoJSON (RFC 7946): positions are [longitude, latitude] in degrees. */
const position = z
  .array(z.number())
  .length(2)
  .meta({ id: 'Position', description: '[longitude, latitude] in degrees.' });

/** A linear ring is closed: its first position is its last. */
const ring = z.array(position).min(4);

const polygon = z
  .strictObject({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) })
  .meta({ id: 'Polygon' });
const multiPolygon = z
  .strictObject({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1)).min(1) })
  .meta({ id: 'MultiPolygon' });
const point = z.strictObject({ type: z.literal('Point'), coordinates: position }).meta({ id: 'Point' });

function featureCollection(id: string, feature: z.ZodType) {
  return z
    .strictObject({
      type: z.literal('FeatureCollection'),
      truncated: z
        .literal(true)
        .optional()
        .meta({ description: 'Present, and true, only if the limit cut off features.' }),
      features: z.array(feature),
    })
    .meta({ id });
}

/** The body of an answer with providers on a map (SPEC 4.10). */
export const providerFeaturesSchema = featureCollection(
  'ProviderFeatures',
  z
    .strictObject({ type: z.literal('Feature'), geometry: point, properties: providerPropertiesSchema })
    .meta({ id: 'ProviderFeature' }),
);

/** The body of an answer with tract outlines. */
export const tractFeaturesSchema = featureCollection(
  'TractFeatures',
  z
    .strictObject({
      type: z.literal('Feature'),
      properties: tractPropertiesSchema,
      geometry: z.union([polygon, multiPolygon]).nullable().meta({ description: 'Null if the tract has no outline.' }),
    })
    .meta({ id: 'TractFeature' }),
);
